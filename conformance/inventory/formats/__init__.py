"""The file formats of inventories, each read into the one model."""
