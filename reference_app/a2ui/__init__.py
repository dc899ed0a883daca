"""The tool ``a2ui_present``: a bounded template becomes a card, and one valid click becomes a result."""
