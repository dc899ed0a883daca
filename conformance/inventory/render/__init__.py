"""One difference in many forms; each renderer is one file and takes a page."""
