; grammar: c
; suffixes: .c
; separator: ::
; inherits: _c
; own.bare: identifier type_identifier
; own.types: type_identifier
; aside: function_definition

((field_declaration
  declarator: (_) @declarator.value @definition.field) @group
  (#set! alone "yes"))
