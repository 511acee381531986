"""Critics: models, tools, tests, text checks and panels; the identity of findings."""
