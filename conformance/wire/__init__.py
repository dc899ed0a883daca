"""The protocol as an observer reads it: nothing here is shared with any implementation."""
