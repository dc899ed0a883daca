"""The HTTP side: it authenticates, reads bodies strictly, calls the planes, and writes what they return."""
