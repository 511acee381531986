"""Graphs: loops and plain steps as one supervised, resumable run."""
