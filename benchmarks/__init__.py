"""Figures as ratios in one run: each pair is measured in turn, so that a noisy machine cancels."""
