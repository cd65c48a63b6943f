; grammar: go
; suffixes: .go
; own.bare: identifier type_identifier
; own.member: selector_expression.operand.field
; hash.skip: comment
; hash.text: interpreted_string_literal raw_string_literal
; hash.number: go:int_literal go:float_literal go:imaginary_literal
; hash.comma: argument_list parameter_list type_parameter_list type_arguments literal_value
; hash.drop: statement_list/";" const_declaration/";" var_spec_list/";" type_declaration/";" import_spec_list/";"
; hash.drop: field_declaration_list/";" interface_type/";"

((function_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.function
  (#set! tag "func"))

;; A method is a member of its receiver's type.
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @qualifier
        (generic_type type: (type_identifier) @qualifier)
        (pointer_type [(type_identifier) @qualifier (generic_type type: (type_identifier) @qualifier)])
        (parenthesized_type [(type_identifier) @qualifier (pointer_type (type_identifier) @qualifier)])
      ]))
  name: (field_identifier) @name
  body: (block)? @body) @definition.method

(type_spec
  name: (type_identifier) @name
  type: (struct_type (_) @body)) @definition.struct

(type_spec
  name: (type_identifier) @name
  type: (interface_type)) @definition.interface

(type_spec
  name: (type_identifier) @name) @definition.type

(type_alias
  name: (type_identifier) @name) @definition.type

(method_elem
  name: (field_identifier) @name) @definition.method

(field_declaration
  name: (field_identifier) @name) @definition.field

(field_declaration
  !name
  type: [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
    (qualified_type name: (type_identifier) @name)
    (generic_type type: (qualified_type name: (type_identifier) @name))
  ]) @definition.field

(const_spec
  name: (identifier) @name
  value: (expression_list)? @value) @definition.constant

(var_spec
  name: (identifier) @name
  value: (expression_list)? @value) @definition.variable

(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (block) @body) .)) @definition.function

(func_literal) @fence

(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(parameter_declaration name: (identifier) @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)

(call_expression
  function: [
    (identifier) @reference.call
    (selector_expression operand: (_) @receiver field: (field_identifier) @reference.call)
    (parenthesized_expression (identifier) @reference.call)
  ])
(type_conversion_expression
  type: (generic_type
    type: [
      (type_identifier) @reference.call
      (qualified_type package: (_) @receiver name: (type_identifier) @reference.call)
    ]))
(composite_literal
  type: [
    (type_identifier) @reference.call
    (qualified_type package: (_) @receiver name: (type_identifier) @reference.call)
    (generic_type type: (type_identifier) @reference.call)
  ])

(import_spec
  path: (_) @import.module)

(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        !name
        type: [
          (type_identifier) @inherit.embeds
          (qualified_type) @inherit.embeds
          (generic_type type: (_) @inherit.embeds)
        ])))) @derived

(type_spec
  type: (interface_type
    (type_elem
      .
      [
        (type_identifier) @inherit.embeds
        (qualified_type) @inherit.embeds
        (generic_type type: (_) @inherit.embeds)
      ]
      .))) @derived
