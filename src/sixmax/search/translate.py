"""Pseudo-harmonic translation of a raise into one that is offered.

Ganzfried & Sandholm 2013, "Action translation in extensive-form games with large action spaces":
sizes are fractions of the pot after calling; x between A < B becomes A with probability
(B - x)(1 + A) / ((B - A)(1 + x)).
"""
