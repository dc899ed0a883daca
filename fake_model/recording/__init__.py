"""Recording: requests are passed on to a real provider, and what it answers becomes a script."""
