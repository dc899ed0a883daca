"""The agent host: it composes what the model may see, routes each call to its plane, and owns neither of them."""
