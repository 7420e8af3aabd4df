"""Whether a folder was moved or is a copy: the two answers, which only the user can give."""

import os

from state.command import USER, Actor
from state.errors import Refused
from state.journal import anchor as anchors
from state.journal.anchor import Anchor
from state.journal.head import Head
from state.journal.line import Line
from state.journal.operations import ProjectForked
from state.journal.writer import Author, writing
from state.project import Project


def moved(project: Project) -> Head:
    """The folder was moved here: the anchor is renewed for this place. Gives the last commit.

    NotCommitted when the anchor can't be written.
    """
    journal = project.journal
    now = project.clock.now
    with writing(journal, seat=USER, now=now, same_place=False) as writer:
        head = writer.head
        if not anchors.write(_anchor(project, head)):
            raise anchors.unwritten(head.project)
        return head


def copied(project: Project, actor: Actor) -> Line:
    """The folder is a copy: one line gives it an id of its own and names where it branched off.

    Refused for a project that stands where it always did. The id is a new one at random. How far
    the other folder has got meanwhile is nothing to this one.
    """
    if actor.seat != USER:
        raise Refused("R11", "only the user says that a project is a copy", "ask the user")
    journal, clock = project.journal, project.clock
    now = clock.now()
    with writing(journal, seat=USER, now=clock.now, same_place=False, same_history=False) as writer:
        parent, anchor = writer.head, writer.anchor
        if anchor is not None and anchor.root == journal.root_inode:
            raise Refused(
                None, "this project stands where it always did; it is no copy", "nothing to do"
            )
        forked = ProjectForked(os.urandom(16).hex(), parent.project, parent.rev, parent.hash)
        author = Author(actor.seat, actor.via, os.urandom(16).hex(), {})
        line = writer.append(author, now, [forked])
        # The lock is still held: nobody may see the new id without its anchor.
        anchors.write(_anchor(project, writer.head))
        writer.anchor = anchors.read(writer.head.project)
        return line


def _anchor(project: Project, head: Head) -> Anchor:
    inode = project.journal.root_inode
    return Anchor(head.project, head.rev, head.hash, inode, project.clock.now())
