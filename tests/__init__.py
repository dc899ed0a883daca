"""The tests of the suite, the fake model and the reference app."""
