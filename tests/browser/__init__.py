"""Tests of the page in a real browser; they run in their own tox environment."""
