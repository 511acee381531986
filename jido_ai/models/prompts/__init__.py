"""How a question is put to a model, and how its answer is read: one file for each exchange."""
