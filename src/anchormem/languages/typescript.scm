; grammar: typescript
; inherits: _ecma
; mask: typescript
; suffixes: .ts .mts .cts
; shebangs: ts-node tsx deno bun
; own.bare: type_identifier
; hash.string: verbatim:template_literal_type
; hash.string-code: template_type
; hash.drop: type_alias_declaration/";" function_signature/";" ambient_declaration/";" import_alias/";"
;; Members of interfaces and object types end with `,` or `;`.
; hash.drop: interface_body/";" interface_body/"," object_type/";" object_type/","
; hash.comma: enum_body type_parameters type_arguments tuple_type
;; A union that holds one member and its leading `|` is that member.
; hash.parens: parenthesized_type union_type intersection_type
; hash.rewrite: plain-key:property_signature plain-key:method_signature
; hash.rewrite: line-break:abstract_class_declaration line-break:abstract_method_signature
; hash.parens-chain: optional_chain non_null_expression

(abstract_class_declaration
  name: (_) @name
  body: (_) @body) @definition.class

(interface_declaration
  name: (_) @name
  body: (_) @body) @definition.interface

(enum_declaration
  name: (_) @name
  body: (_) @body) @definition.enum

(enum_body name: [(property_identifier) (string) (private_property_identifier)] @name @definition.enum_member
  (#set! chained "yes"))

((enum_assignment
  name: (_) @name
  value: (_) @value) @definition.enum_member
  (#set! chained "yes"))

(type_alias_declaration
  name: (_) @name
  value: (object_type) @body) @definition.type

(type_alias_declaration
  name: (_) @name
  value: (_) @value) @definition.type

(module
  name: (_) @name
  body: (_)? @body) @definition.namespace

(internal_module
  name: (_) @name
  body: (_)? @body) @definition.namespace

(function_signature
  name: (_) @name
  parameters: (_) @parameters) @definition.function

(abstract_method_signature
  name: (_) @name
  parameters: (_) @parameters) @definition.method

(class_body
  (method_signature
    name: (_) @name
    parameters: (_) @parameters) @definition.method)

(interface_body
  (method_signature
    ["get" "set"] @tag
    name: (_) @name
    parameters: (_) @parameters) @definition.accessor)

(interface_body
  (method_signature
    name: (_) @name
    parameters: (_) @parameters) @definition.method)

(interface_body (property_signature name: (_) @name) @definition.property)

(type_alias_declaration value: (object_type [
  (property_signature name: (_) @name) @definition.property
  (method_signature name: (_) @name parameters: (_) @parameters) @definition.method
]))

(public_field_definition
  name: (_) @name
  value: [
    (arrow_function [parameters: (_) parameter: (_)] @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.method

(public_field_definition
  name: (_) @name
  value: (_)? @value) @definition.field

(ambient_declaration (_) @covered) @cover
(expression_statement (internal_module) @covered) @cover

(class_body (decorator) @attribute)

(required_parameter pattern: (identifier) @local)

;; `constructor(private readonly limit: number)` declares a field of the class.
((required_parameter
  [(accessibility_modifier) "readonly" (override_modifier)]
  pattern: (identifier) @name
  "="? @value
  value: (_)? @value) @definition.property
  (#set! outward "yes"))

(optional_parameter pattern: (identifier) @local)

(class_declaration (class_heritage (extends_clause value: (_) @inherit.extends))) @derived
(abstract_class_declaration (class_heritage (extends_clause value: (_) @inherit.extends))) @derived
(class_declaration (class_heritage (implements_clause [
  (type_identifier) @inherit.implements
  (nested_type_identifier) @inherit.implements
  (generic_type name: (_) @inherit.implements)
]))) @derived
(abstract_class_declaration (class_heritage (implements_clause [
  (type_identifier) @inherit.implements
  (nested_type_identifier) @inherit.implements
  (generic_type name: (_) @inherit.implements)
]))) @derived
(interface_declaration (extends_type_clause type: [
  (type_identifier) @inherit.extends
  (nested_type_identifier) @inherit.extends
  (generic_type name: (_) @inherit.extends)
])) @derived

(import_statement (import_require_clause source: (string) @import.module)) @import
