"""Counterfactual regret minimisation on a public betting tree; knows no poker.

A game is a tree and a dealer that gives each seat a bucket for every round and a rank for the
showdown. Kuhn, Leduc and six-player hold'em run through the same kernels.
"""
