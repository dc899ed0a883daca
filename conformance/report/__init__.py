"""Verdicts as people and machines read them."""
