"""The page: plain ES modules in a browser, and the few lines of Python that serve them."""
