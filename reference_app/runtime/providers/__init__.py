"""Model providers, one wire format a module; none of them is imported before it is needed."""
