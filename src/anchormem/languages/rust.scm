; grammar: rust
; suffixes: .rs
; separator: ::
; own.bare: identifier type_identifier
; own.types: type_identifier
;; A method is never called without what it belongs to.
; own.never: method
; own.member-kinds: field_identifier
;; A bare field access names a field, never the method of that name.
; own.member: call_expression/field_expression.value.field scoped_identifier.path.name
; own.not: token_tree.* attribute.* lifetime.* label.* shorthand_field_initializer.* macro_invocation.macro
; own.not: use_declaration.* use_list.* use_as_clause.*
; own.receivers: self Self
; doc: ///(?!/)|/\*\*(?![*/])
; hash.skip: line_comment block_comment
; hash.text: string_literal raw_string_literal
; hash.number: plain:integer_literal plain:float_literal
; hash.comma: arguments parameters type_arguments type_parameters array_expression slice_pattern
; hash.comma: tuple_struct_pattern struct_pattern field_initializer_list field_declaration_list
; hash.comma: ordered_field_declaration_list enum_variant_list where_clause use_list match_arm
; hash.comma-multi: tuple_expression tuple_type tuple_pattern
; hash.rewrite: lone-block:match_arm lone-block:closure_expression jump-end:block stray-semicolon:block
; hash.rewrite: nested-parens:parenthesized_expression leading-pipe:match_pattern leading-pipe:or_pattern
; hash.rewrite: leading-pipe:let_condition leading-pipe:let_declaration leading-pipe:tuple_pattern leading-pipe:tuple_struct_pattern
; hash.rewrite: leading-pipe:slice_pattern leading-pipe:field_pattern leading-pipe:for_expression
; hash.rewrite: default-abi:extern_modifier plain-scope:visibility_modifier
; hash.rewrite: end-separator:macro_definition same-brackets:macro_rule vec:macro_invocation list-attribute:attribute
; hash.drop-empty: function_item/where_clause function_signature_item/where_clause struct_item/where_clause enum_item/where_clause
; hash.drop-empty: trait_item/where_clause impl_item/where_clause
; aside: function_item impl_item mod_item
; aside.in: impl_item mod_item declaration_list
; aside.before: attribute_item

(function_item
  name: (identifier) @name
  body: (block) @body) @definition.function

(function_signature_item
  name: (identifier) @name) @definition.function

;; The fields of a tuple have no names of their own, so they stay in the signature.
(struct_item
  name: (type_identifier) @name
  body: (field_declaration_list)? @body) @definition.struct

(union_item
  name: (type_identifier) @name
  body: (_) @body) @definition.union

(enum_item
  name: (type_identifier) @name
  body: (_) @body) @definition.enum

;; Without a discriminant of its own a variant's follows from those before it.
((enum_variant
  name: (identifier) @name
  value: (_)? @value) @definition.enum_member
  (#set! chained "yes"))

(field_declaration
  name: (field_identifier) @name) @definition.field

(trait_item
  name: (type_identifier) @name
  body: (_) @body) @definition.trait

(type_item
  name: (type_identifier) @name) @definition.type

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
    body: [
      (_) @body
      (block (_) @body)
      (block (expression_statement (_) @body))
    ])) @definition.function

(closure_expression) @fence

;; An impl block has no name of its own: it lends its type's to its items, and its trait tells twins apart. Its head says
;; for which types and under which bounds and features they exist, so it is part of each.
((impl_item
  !trait
  type: [
    (type_identifier) @name
    (primitive_type) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
    (dynamic_type trait: (type_identifier) @name)
  ]
  body: (_) @body) @scope
  (#set! tag "impl"))

(impl_item
  trait: [
    (type_identifier) @tag
    (generic_type type: (type_identifier)) @tag
    (scoped_type_identifier name: (type_identifier) @tag)
    (generic_type
      type: (scoped_type_identifier name: (type_identifier) @tag)
      type_arguments: (_) @tag)
  ]
  type: [
    (type_identifier) @name
    (primitive_type) @name
    (generic_type type: (type_identifier) @name)
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (scoped_type_identifier name: (type_identifier) @name))
    (dynamic_type trait: (type_identifier) @name)
    (reference_type type: (type_identifier) @name)
    (reference_type type: (primitive_type) @name)
    (reference_type type: (generic_type type: (type_identifier) @name))
    (array_type) @name
    (tuple_type) @name
    (unit_type) @name
    (pointer_type) @name
    (function_type) @name
    (never_type) @name
    (reference_type type: (array_type) @name)
    (reference_type type: (tuple_type) @name)
    (reference_type type: (dynamic_type) @name)
    (reference_type type: (reference_type) @name)
    (macro_invocation) @name
  ]
  body: (_) @body) @scope

(foreign_mod_item body: (_) @body) @lends

(attribute_item) @attribute
(line_comment inner: (_)) @doc
(block_comment inner: (_)) @doc

(parameter pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local)
(let_condition pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(match_pattern (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern "(" (identifier) @local)
(slice_pattern (identifier) @local)
(or_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local)
(const_parameter name: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(use_as_clause alias: (identifier) @local)

(call_expression
  function: [
    (identifier) @reference.call
    (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call)
    (field_expression value: (_) @receiver field: (field_identifier) @reference.call)
    (generic_function function: (identifier) @reference.call)
    (generic_function function: (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call))
    (generic_function function: (field_expression value: (_) @receiver field: (field_identifier) @reference.call))
  ])

(macro_invocation
  macro: [
    (identifier) @reference.call
    (scoped_identifier path: (_)? @receiver name: (identifier) @reference.call)
  ])

(struct_expression
  name: [
    (type_identifier) @reference.call
    (scoped_type_identifier path: (_)? @receiver name: (type_identifier) @reference.call)
    (generic_type_with_turbofish type: (type_identifier) @reference.call)
  ])

;; Inside a macro call there are only tokens: a name before parentheses is a call.
((token_tree
  (identifier) @reference.call
  .
  (token_tree . "("))
  (#not-match? @reference.call "^(if|match|while|for|in|return)$"))

(use_declaration
  argument: [
    (scoped_identifier path: (_) @import.module name: (_) @import.name)
    (use_as_clause path: (scoped_identifier path: (_) @import.module name: (_) @import.name))
    (use_as_clause path: (identifier) @import.module)
    (identifier) @import.module
    (use_wildcard (_) @import.module)
    (scoped_use_list path: (_) @import.module list: (use_list))
  ]) @import
(use_declaration
  argument: (scoped_use_list
    path: (_) @import.module
    list: (use_list
      [
        (identifier) @import.name
        (self) @import.name
        (scoped_identifier) @import.name
        (use_as_clause path: (_) @import.name)
        (scoped_use_list) @import.name
        (use_wildcard) @import.name
      ]))) @import
(extern_crate_declaration
  name: (identifier) @import.module) @import

(impl_item
  trait: [
    (type_identifier) @inherit.impl_trait
    (scoped_type_identifier) @inherit.impl_trait
    (generic_type type: (_) @inherit.impl_trait)
  ]) @derived
(trait_item
  bounds: (trait_bounds
    [
      (type_identifier) @inherit.extends
      (scoped_type_identifier) @inherit.extends
      (generic_type type: (_) @inherit.extends)
    ])) @derived
((attribute_item
  (attribute
    (identifier) @_derive
    arguments: (token_tree (identifier) @inherit.impl_trait)))
  (#eq? @_derive "derive")) @derived
