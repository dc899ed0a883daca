"""Tests of what the suite knows of interactions."""
