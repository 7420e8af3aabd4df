"""The catalogue: every sentence and label that the panel itself says, one module a room.

Kinds, codes and JSON stay English wherever they come from; what stands here may be translated.
"""
