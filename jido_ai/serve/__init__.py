"""HTTP, the OpenAI-compatible door and the observer's page over the same runs (extra `serve`)."""
