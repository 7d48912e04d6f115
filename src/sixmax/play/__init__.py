"""A strategy in a real hand: look-up, translation, location in the tree."""
