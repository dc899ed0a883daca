"""The wire formats of the providers, each in a module of its own."""
