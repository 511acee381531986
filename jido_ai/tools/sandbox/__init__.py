"""Programs run with limits: layers, processes, directories, self-test."""
