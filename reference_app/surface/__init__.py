"""The view plane in Python: contracts, registry, availability, binding, invocation, confirmation.

It knows no HTTP and no ledger: what a screen can do is handed to it as definitions, what the server can do as an
executor. Everything that decides is a small named function, called through its module.
"""
