; grammar: java
; suffixes: .java
; doc: /\*\*(?!/)
; own.bare: identifier type_identifier
; own.types: type_identifier
; own.not: field_access.field element_value_pair.key break_statement.* continue_statement.* labeled_statement.*
; own.not: marker_annotation.name annotation.name method_reference.*
; own.call: method_invocation.name
; own.member: method_invocation.object.name
; own.receivers: this
; hash.skip: line_comment block_comment
; hash.text: string_literal character_literal
; hash.number: plain:decimal_integer_literal plain:hex_integer_literal plain:octal_integer_literal plain:binary_integer_literal
; hash.number: plain:decimal_floating_point_literal plain:hex_floating_point_literal
; hash.drop: field_declaration/"," constant_declaration/","
; hash.rewrite: brackets-at-type:field_declaration brackets-at-type:constant_declaration
; hash.rewrite: brackets-at-type:local_variable_declaration brackets-at-type:formal_parameter
; hash.rewrite: brackets-at-type:enhanced_for_statement no-brackets:variable_declarator modifier-order:modifiers
; hash.comma: array_initializer element_value_array_initializer enum_body
; aside: method_declaration constructor_declaration class_declaration interface_declaration
; aside.in: class_declaration class_body interface_declaration interface_body

(class_declaration
  name: (identifier) @name
  body: (class_body) @body) @definition.class

(interface_declaration
  name: (identifier) @name
  body: (interface_body) @body) @definition.interface

(annotation_type_declaration
  name: (identifier) @name
  body: (annotation_type_body) @body) @definition.interface

(enum_declaration
  name: (identifier) @name
  body: (enum_body) @body) @definition.enum

(record_declaration
  name: (identifier) @name
  body: (class_body) @body) @definition.record

(record_declaration
  parameters: (formal_parameters
    (formal_parameter name: (identifier) @name) @definition.field))

;; A constant has no value of its own: what it counts as follows from those before it.
((enum_constant
  name: (identifier) @name
  body: (class_body)? @body) @definition.enum_member
  (#set! chained "yes"))

(method_declaration
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  body: (block)? @body) @definition.method

(annotation_type_element_declaration
  name: (identifier) @name) @definition.method

(constructor_declaration
  name: (identifier) @name
  parameters: (formal_parameters) @parameters
  body: (constructor_body) @body) @definition.constructor

(compact_constructor_declaration
  name: (identifier) @name
  body: (block) @body) @definition.constructor

(static_initializer
  "static" @name
  (block) @body) @definition.function

(module_declaration
  name: (_) @name
  body: (_) @body) @definition.module

((field_declaration
  (modifiers) @_modifiers
  declarator: (variable_declarator
    name: (identifier) @name
    value: (_)? @value) @definition.constant) @group
  (#match? @_modifiers "\\bstatic\\b")
  (#match? @_modifiers "\\bfinal\\b"))

(field_declaration
  declarator: (variable_declarator
    name: (identifier) @name
    value: (_)? @value) @definition.field) @group

(constant_declaration
  declarator: (variable_declarator
    name: (identifier) @name
    value: (_)? @value) @definition.constant) @group

(local_variable_declaration
  declarator: (variable_declarator
    name: (identifier) @name
    value: (lambda_expression
      body: (_) @body)) @definition.function) @group

(lambda_expression) @fence

(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(inferred_parameters (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(catch_formal_parameter name: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(instanceof_expression name: (identifier) @local)
(type_pattern (identifier) @local)
(record_pattern_component (identifier) @local)
(type_parameter (type_identifier) @local)
(labeled_statement (identifier) @local)

(method_invocation
  !object
  name: (identifier) @reference.call)
(method_invocation
  object: (_) @receiver
  name: (identifier) @reference.call)
(method_reference
  .
  (_) @receiver
  (identifier) @reference.call .)
(object_creation_expression
  type: [
    (type_identifier) @reference.call
    (generic_type . (type_identifier) @reference.call)
    (scoped_type_identifier (_) @receiver (type_identifier) @reference.call .)
    (generic_type . (scoped_type_identifier (_) @receiver (type_identifier) @reference.call .))
  ])
(explicit_constructor_invocation
  constructor: (_) @reference.call)
(marker_annotation name: (identifier) @reference.call)
(annotation name: (identifier) @reference.call)

(import_declaration
  (scoped_identifier
    scope: (_) @import.module
    name: (_) @import.name)
  .
  ";") @import
(import_declaration
  (_) @import.module
  .
  "."
  (asterisk)) @import

(class_declaration
  superclass: (superclass
    [
      (type_identifier) @inherit.extends
      (scoped_type_identifier) @inherit.extends
      (generic_type . (_) @inherit.extends)
    ])) @derived
(_
  interfaces: (super_interfaces
    (type_list
      [
        (type_identifier) @inherit.implements
        (scoped_type_identifier) @inherit.implements
        (generic_type . (_) @inherit.implements)
      ]))) @derived
(interface_declaration
  (extends_interfaces
    (type_list
      [
        (type_identifier) @inherit.extends
        (scoped_type_identifier) @inherit.extends
        (generic_type . (_) @inherit.extends)
      ]))) @derived
