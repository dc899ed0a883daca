"""Clients that none of us wrote, against the reference app."""
