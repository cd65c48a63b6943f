; grammar: toml
; suffixes: .toml
; filenames: Pipfile poetry.lock uv.lock Cargo.lock
; hash.skip: comment
; hash.text: string

;; Keys are found on demand. `[tool.ruff]` is a key of its own, and what it holds continues its name.
(pair . [(bare_key) (quoted_key) (dotted_key)] @name) @definition.key
(table . "[" . [(bare_key) (quoted_key) (dotted_key)] @name) @definition.key
(table_array_element . "[[" . [(bare_key) (quoted_key) (dotted_key)] @name) @definition.key
