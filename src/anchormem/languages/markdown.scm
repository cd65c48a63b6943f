; grammar: markdown
; suffixes: .md .markdown .mdx
; hash.skip: block_continuation
; hash.text: inline code_fence_content indented_code_block html_block pipe_table_cell info_string

;; A section reaches to the next heading of the same or a higher level. Wrapping and list marks count: prose has no formatter table.
(section (atx_heading heading_content: (inline) @name)) @definition.section
