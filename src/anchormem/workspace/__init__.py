"""The hall: the only room where store, syntax, project and reason meet. One file per use case.

Knows nothing of MCP, of the command line and of how replies travel.
"""
