; hash.string: jsx:jsx_attribute/string
; hash.rewrite: jsx-text:jsx_element

(jsx_opening_element name: (identifier) @reference.call)
(jsx_opening_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(jsx_self_closing_element name: (identifier) @reference.call)
(jsx_self_closing_element name: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
