"""How a strategy meets a real hand: look-up, translation, location in the tree."""
