"""Who fixes a candidate: models, targeted repairs, mutation, chains; and which edits are safe."""
