"""Bytes in, facts out. Never opens a file, knows no store, no git, no clock.

`facts` everything known of one content · `quotes` snippets token for token · `sections` keys of JSON, YAML and TOML on
demand · `lookup` names to symbols · `tokens` the code tokens of a definition · `spliced` old text under today's recipe.
"""
