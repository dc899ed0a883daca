"""Inventories: what an agent may do, as files that are committed and reviewed like an API."""
