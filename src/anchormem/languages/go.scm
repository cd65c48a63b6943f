; grammar: go
; suffixes: .go
; doc: //|/\*
; doc.adjacent: yes
; directive: //(go:[a-z]|export |line |extern )
; own.bare: identifier type_identifier
; own.types: type_identifier
;; A method is never called without what it belongs to.
; own.never: method
; own.member-kinds: field_identifier
; own.member: selector_expression.operand.field
; own.not: label_name.*
; hash.skip: comment
; hash.text: interpreted_string_literal raw_string_literal
; hash.number: go:int_literal go:float_literal go:imaginary_literal
; hash.comma: argument_list parameter_list type_parameter_list type_arguments literal_value
; hash.drop: source_file/";" statement_list/";" const_declaration/";" var_spec_list/";" type_declaration/";"
; hash.drop: import_spec_list/";" field_declaration_list/";" interface_type/";" statement_list/empty_statement labeled_statement/empty_statement
; hash.rewrite: empty-list:block empty-list:expression_case empty-list:type_case empty-list:default_case
; hash.rewrite: empty-list:communication_case
; hash.rewrite: control-parens:if_statement control-parens:expression_switch_statement
; hash.rewrite: plain-for:for_statement control-parens:for_statement control-parens:for_clause control-parens:range_clause
; hash.rewrite: nested-parens:parenthesized_expression lone-result:function_declaration lone-result:method_declaration
; hash.rewrite: lone-result:func_literal lone-result:function_type lone-result:method_elem
; hash.rewrite: typed-parens:parameter_declaration typed-parens:type_constraint
; aside: function_declaration method_declaration

((function_declaration
  name: (identifier) @name
  body: (block)? @body) @definition.function
  (#set! tag "func"))

;; A method is a member of its receiver's type; the receiver is what it calls its own object.
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      name: (identifier)? @self
      type: [
        (type_identifier) @qualifier
        (generic_type type: (type_identifier) @qualifier)
        (pointer_type [
          (type_identifier) @qualifier
          (generic_type type: (type_identifier) @qualifier)
        ])
        (parenthesized_type [
          (type_identifier) @qualifier
          (pointer_type (type_identifier) @qualifier)
        ])
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

;; A constant without a value repeats the one before it; one that counts with iota depends on how many stand before it.
((const_spec
  name: (identifier) @name
  value: (expression_list) @value) @definition.constant
  (#not-match? @value "\\biota\\b")
  (#set! chained "yes"))

((const_spec
  name: (identifier) @name
  value: (expression_list)? @body) @definition.constant
  (#set! chained "yes"))

(var_spec
  name: (identifier) @name
  value: (expression_list . (func_literal body: (block) @body) .)) @definition.function

(var_spec
  name: (identifier) @name
  value: (expression_list)? @value) @definition.variable

;; Alone, a declaration is covered with its keyword; in parentheses the keyword is a label on each.
((const_declaration (const_spec) @covered) @cover
  (#not-match? @cover "^const\\s*\\("))
(var_declaration (var_spec) @covered) @cover
((type_declaration [(type_spec) (type_alias)] @covered) @cover
  (#not-match? @cover "^type\\s*\\("))
(const_declaration "const" @label . "(")
(var_spec_list . "(" @label)

(short_var_declaration
  left: (expression_list . (identifier) @name .)
  right: (expression_list . (func_literal body: (block) @body) .)) @definition.function

(func_literal) @fence

;; The comment right above `import "C"` is C code.
((comment)+ @directive
  .
  (import_declaration (import_spec path: (_) @_path))
  (#eq? @_path "\"C\""))

;; A key of a literal may be a field.
(keyed_element key: (literal_element (identifier) @local))
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
;; Making a value of a type is a use of it.
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
