"""Tests of the page as far as they need no browser."""
