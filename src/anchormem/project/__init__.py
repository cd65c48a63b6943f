"""The disk and git: where the root is, whose repository it is, which files belong to it, what they hold.

Knows no store, no syntax and no memory. The only room that starts git. Heavy imports (pathspec,
platformdirs) stay inside the functions that need them.
"""
