"""What reads hosts: one hook event, or the lines of a transcript, and nothing of their texts.

These files are what the fingerprint of the program's own adapters goes over (S15).
"""
