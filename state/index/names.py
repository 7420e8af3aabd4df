"""What the tables of the index use as values; `CODE` names the code that fills them.

An index of another `CODE` is built anew.
"""

CODE = "17"

# What a seat has to do with a message (`involved.role`).
QUEUED = 0
FILED = 1

KINDS = ("note", "question", "task", "reply", "result")
# Every so many messages of a list a milestone says where the list has got to.
STEP = 1024
# The list of all messages among the milestones; others are called `kind:…`, `seat:…`, `sent:…`.
ALL = ""
