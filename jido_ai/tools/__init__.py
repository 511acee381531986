"""Programs that judge: what a tool is, the ready ones, and how tools are found by name."""
