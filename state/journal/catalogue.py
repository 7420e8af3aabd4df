"""The closed list of operations: name -> the module and class that give its fields.

A reader stops at any other name (a newer program wrote it). `docs/format.md` lists the same.
"""

OPERATIONS: dict[str, tuple[str, str]] = {
    "project_created": ("state.journal.operations", "ProjectCreated"),
    "recovered": ("state.journal.operations", "Recovered"),
    "segment": ("state.journal.operations", "SegmentStarted"),
    "accepted": ("state.journal.operations", "Accepted"),
    "project_forked": ("state.journal.operations", "ProjectForked"),
    "seat_added": ("state.roster.operations", "SeatAdded"),
    "seat_changed": ("state.roster.operations", "SeatChanged"),
    "seat_hidden": ("state.roster.operations", "SeatHidden"),
    "seat_shown": ("state.roster.operations", "SeatShown"),
    "seat_renamed": ("state.roster.operations", "SeatRenamed"),
    "seat_deactivated": ("state.roster.operations", "SeatDeactivated"),
    "seat_restored": ("state.roster.operations", "SeatRestored"),
    "seat_away": ("state.roster.operations", "SeatAway"),
    "seat_back": ("state.roster.operations", "SeatBack"),
    "queue_closed": ("state.roster.operations", "QueueClosed"),
    "message_posted": ("state.messages.operations", "MessagePosted"),
    "message_imported": ("state.messages.operations", "MessageImported"),
    "acknowledged": ("state.messages.operations", "Acknowledged"),
    "task_accepted": ("state.messages.operations", "TaskAccepted"),
    "task_done": ("state.messages.operations", "TaskDone"),
    "task_declined": ("state.messages.operations", "TaskDeclined"),
    "task_cancelled": ("state.messages.operations", "TaskCancelled"),
    "suggestion_made": ("state.routing.operations", "SuggestionMade"),
    "choice_recorded": ("state.routing.operations", "ChoiceRecorded"),
    "receipt_recorded": ("state.routing.operations", "ReceiptRecorded"),
    "hook_noted": ("state.routing.operations", "HookNoted"),
    "adapter_registered": ("state.adapters.operations", "AdapterRegistered"),
    "adapter_revoked": ("state.adapters.operations", "AdapterRevoked"),
    "consumer_declared": ("state.wake.consumer_operations", "ConsumerDeclared"),
    "consumer_ended": ("state.wake.consumer_operations", "ConsumerEnded"),
}
