"""The tests of the fake model."""
