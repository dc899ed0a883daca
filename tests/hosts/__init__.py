"""Ten miniature hosts that are broken, each in one way: bare sockets, a page of code each, nothing shared with the reference app."""
