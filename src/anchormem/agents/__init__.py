"""Other people's programs that work with anchormem: what is written into their configuration, and taken out again.

An agent is one row of `table.AGENTS` plus the shape of its configuration. Whatever is not ours keeps its bytes. Knows
nothing of MCP, of stores and of printing.
"""
