; grammar: rust
; suffixes: .rs
; separator: ::
; own.bare: identifier type_identifier
; own.member: field_expression.value.field scoped_identifier.path.name
; own.receivers: self Self
; hash.skip: line_comment block_comment
; hash.text: string_literal raw_string_literal
; hash.number: rust:integer_literal rust:float_literal
; hash.comma: arguments parameters closure_parameters type_arguments type_parameters array_expression slice_pattern
; hash.comma: tuple_struct_pattern struct_pattern field_initializer_list field_declaration_list
; hash.comma: ordered_field_declaration_list enum_variant_list where_clause use_list match_arm
; hash.comma-multi: tuple_expression tuple_type tuple_pattern

(function_item
  name: (identifier) @name
  body: (block) @body) @definition.function

(function_signature_item
  name: (identifier) @name) @definition.function

(struct_item
  name: (type_identifier) @name
  body: (_)? @body) @definition.struct

(union_item
  name: (type_identifier) @name
  body: (_) @body) @definition.union

(enum_item
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

(enum_variant
  name: (identifier) @name) @definition.member

(field_declaration
  name: (field_identifier) @name) @definition.field

(trait_item
  name: (type_identifier) @name
  body: (_) @body) @definition.trait

(type_item
  name: (type_identifier) @name
  type: (_) @value) @definition.type

(associated_type
  name: (type_identifier) @name) @definition.type

(const_item
  name: (identifier) @name
  value: (_)? @value) @definition.constant

(static_item
  name: (identifier) @name
  value: (_)? @value) @definition.variable

(mod_item
  name: (identifier) @name
  body: (_)? @body) @definition.module

(macro_definition
  name: (identifier) @name
  (macro_rule)* @body) @definition.macro

(let_declaration
  pattern: (identifier) @name
  value: (closure_expression
    body: (_) @body)) @definition.function

;; An impl block has no name of its own: it lends its type's to its items, and its trait tells twins apart.
(impl_item
  trait: (_)? @_trait
  type: (type_identifier) @name) @scope

(attribute_item) @attribute
