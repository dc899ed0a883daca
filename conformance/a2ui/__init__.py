"""Interactions as an observer reads them: templates, the surfaces compiled from them, and what may be sent back."""
