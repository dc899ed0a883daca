"""The real application against small models of what it must do."""
