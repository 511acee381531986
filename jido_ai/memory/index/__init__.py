"""Search: similarity measures, keyword and vector indexes, embeddings."""
