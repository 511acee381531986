"""Where memory is kept: one file or folder for each backend."""
