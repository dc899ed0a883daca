"""A demonstration for people: the reference app's page with a scripted model behind it."""
