"""Tests of the reference app."""
