"""Commands that a host has of its own: typing one is no use of a skill (S2)."""

_CLAUDE_CODE = """
    add-dir agents allowed-tools app bashes branch bug checkpoint chrome clear color compact config
    context continue copy cost desktop diff doctor effort exit export extra-usage fast feedback fork
    heapdump help hooks ide init insights install-github-app install-slack-app keybindings login
    logout mcp memory mobile model output-style passes permissions plan plugin plugins pr-comments
    privacy-settings quit release-notes reload-plugins remote-control remote-env rename resume
    review rewind sandbox security-review settings skills stats status statusline stickers tag tasks
    teleport terminal-setup theme todos undo upgrade usage vim voice
"""
# A skill of such a name is still proved, by the base directory that the host names for it.
OF_CLAUDE_CODE = frozenset(_CLAUDE_CODE.split())
