"""The sandbox: run programs with limits; layers, processes, directories, self-test."""
