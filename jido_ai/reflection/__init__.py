"""What an attempt teaches: reflector, diagnosis, when to reflect."""
