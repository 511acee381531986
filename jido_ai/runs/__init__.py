"""The life of a run, whatever it carries out: admission, claim, turn, journal, handle and end."""
