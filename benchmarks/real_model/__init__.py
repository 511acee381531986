"""A benchmark with a real language model on this machine: tasks that a program checks, and programs with a bug."""
