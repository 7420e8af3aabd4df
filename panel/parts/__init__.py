"""Behaviours that several modes share: screens are made of them, they are none themselves."""
