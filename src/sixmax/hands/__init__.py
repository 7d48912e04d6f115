"""Hands: their record, their files, their replay."""
