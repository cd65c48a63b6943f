; grammar: yaml
; suffixes: .yaml .yml
; hash.skip: comment
; hash.text: double_quote_scalar single_quote_scalar block_scalar plain_scalar string_scalar

;; Keys are found on demand. Numbers and quotes count: `64` and `"64"` differ, and so do `yes` and `"yes"`.
(block_mapping_pair key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)) @definition.key
(flow_pair key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @name)) @definition.key
