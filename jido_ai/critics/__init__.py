"""Who judges a candidate: models, tools, tests, rules about texts, panels; and when two findings are the same."""
