"""A headless tab: the reference app's screens on the view plane, and the browser half of the host loop.

``python -m reference_app.tab --base-url http://127.0.0.1:PORT`` speaks the tab protocol on its standard streams.
"""
