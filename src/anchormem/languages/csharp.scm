; grammar: csharp
; suffixes: .cs .csx
; doc: ///(?!/)|/\*\*(?!/)
; own.bare: identifier
; own.not: argument.name attribute_argument.name subpattern.* anonymous_object_creation_expression.* labeled_statement.* goto_statement.* attribute.name member_binding_expression.*
; own.not: qualified_name.name explicit_interface_specifier.*
; own.member: member_access_expression.expression.name
; own.receivers: this
; hash.skip: comment preproc_region preproc_endregion
; hash.text: string_literal raw_string_literal interpolated_string_expression character_literal
; hash.text: interpolation_format_clause
; hash.rewrite: trim-braces:interpolation trim-end:preproc_error trim-end:preproc_warning
; hash.number: plain:integer_literal plain:real_literal
; hash.drop: variable_declaration/","
; hash.comma: initializer_expression anonymous_object_creation_expression enum_member_declaration_list
; hash.comma: switch_expression collection_expression
; aside: method_declaration constructor_declaration class_declaration
; aside.in: class_declaration declaration_list namespace_declaration

(namespace_declaration
  name: (_) @name
  body: (declaration_list) @body) @definition.namespace

(file_scoped_namespace_declaration
  name: (_) @name) @scope.rest

(class_declaration
  name: (identifier) @name
  (type_parameter_list)? @tag
  body: (declaration_list)? @body) @definition.class

(struct_declaration
  name: (identifier) @name
  (type_parameter_list)? @tag
  body: (declaration_list)? @body) @definition.struct

(interface_declaration
  name: (identifier) @name
  (type_parameter_list)? @tag
  body: (declaration_list)? @body) @definition.interface

(record_declaration
  name: (identifier) @name
  (type_parameter_list)? @tag
  body: (declaration_list)? @body) @definition.record

(record_declaration
  (parameter_list
    (parameter name: (identifier) @name) @definition.property))

(enum_declaration
  name: (identifier) @name
  body: (enum_member_declaration_list) @body) @definition.enum

((enum_member_declaration
  name: (identifier) @name
  value: (_)? @value) @definition.enum_member
  (#set! chained "yes"))

(delegate_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters) @definition.type

(method_declaration
  (explicit_interface_specifier (_) @qualifier)?
  name: (identifier) @name
  type_parameters: (_)? @tag
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.method

((constructor_declaration
  (modifier "static")
  name: (identifier) @name
  body: (_) @body) @definition.constructor
  (#set! tag "static"))

(constructor_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.constructor

((destructor_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.destructor
  (#set! prefix "~"))

((operator_declaration
  operator: _ @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.operator
  (#set! prefix "operator "))

((conversion_operator_declaration
  type: (_) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.operator
  (#set! prefix "operator "))

(local_function_statement
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.function

(property_declaration
  (explicit_interface_specifier (_) @qualifier)?
  name: (identifier) @name
  accessors: (_)?
  value: (_)? @body) @definition.property

(indexer_declaration
  (explicit_interface_specifier (_) @qualifier)?
  "this" @name
  parameters: (bracketed_parameter_list) @parameters
  value: (_)? @body) @definition.property

(event_declaration
  (explicit_interface_specifier (_) @qualifier)?
  name: (identifier) @name) @definition.property

(accessor_declaration
  name: ["get" "set" "init" "add" "remove"] @name
  body: (_) @body) @definition.accessor

(field_declaration
  (modifier "const")
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      (_)? @value .) @definition.constant)) @group

(field_declaration
  (modifier "static")
  (modifier "readonly")
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      (_)? @value .) @definition.constant)) @group

(field_declaration
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      (_)? @value .) @definition.field)) @group

(event_field_declaration
  (variable_declaration
    (variable_declarator
      name: (identifier) @name) @definition.field)) @group

(local_declaration_statement
  (variable_declaration
    (variable_declarator
      name: (identifier) @name
      (lambda_expression body: (_) @body)) @definition.function)) @group

[(lambda_expression) (anonymous_method_expression)] @fence

(parameter name: (identifier) @local)
(implicit_parameter) @local
(lambda_expression parameters: (implicit_parameter) @local)
(local_declaration_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(for_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(fixed_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(var_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(parenthesized_variable_designation (identifier) @local)
(recursive_pattern name: (identifier) @local)
(from_clause name: (identifier) @local)
(join_clause . (identifier) @local)
(join_into_clause (identifier) @local)
(let_clause . (identifier) @local)
(tuple_pattern name: (identifier) @local)
;; A member that is given its value here is another object's.
(initializer_expression (assignment_expression left: (identifier) @local))
(type_parameter name: (identifier) @local)

(invocation_expression
  function: [
    (identifier) @reference.call
    (generic_name . (identifier) @reference.call)
    (member_access_expression expression: _ @receiver name: (identifier) @reference.call)
    (member_access_expression expression: _ @receiver name: (generic_name . (identifier) @reference.call))
    (conditional_access_expression
      condition: _ @receiver
      (member_binding_expression name: (identifier) @reference.call))
  ])
(object_creation_expression
  type: [
    (identifier) @reference.call
    (generic_name . (identifier) @reference.call)
    (qualified_name qualifier: (_) @receiver name: (identifier) @reference.call)
  ])
(constructor_initializer ["this" "base"] @reference.call)
(attribute name: (identifier) @reference.call)

(using_directive
  !name
  [(identifier) (qualified_name)] @import.module) @import
(using_directive
  name: (identifier)
  (qualified_name qualifier: (_) @import.module name: (_) @import.name)) @import

;; The syntax does not tell a base class from an interface; the habit of calling the latter `IName` does.
((class_declaration (base_list [
    (identifier) @inherit.implements
    (qualified_name) @inherit.implements
    (generic_name . (identifier) @inherit.implements)
  ])) @derived
  (#match? @inherit.implements "(^|\\.)I[A-Z][^.]*$"))
((class_declaration (base_list [
    (identifier) @inherit.extends
    (qualified_name) @inherit.extends
    (generic_name . (identifier) @inherit.extends)
  ])) @derived
  (#not-match? @inherit.extends "(^|\\.)I[A-Z][^.]*$"))
((record_declaration (base_list [
    (identifier) @inherit.implements
    (qualified_name) @inherit.implements
    (generic_name . (identifier) @inherit.implements)
  ])) @derived
  (#match? @inherit.implements "(^|\\.)I[A-Z][^.]*$"))
((record_declaration (base_list [
    (identifier) @inherit.extends
    (qualified_name) @inherit.extends
    (generic_name . (identifier) @inherit.extends)
    (primary_constructor_base_type type: (_) @inherit.extends)
  ])) @derived
  (#not-match? @inherit.extends "(^|\\.)I[A-Z][^.]*$"))
(struct_declaration (base_list [
    (identifier) @inherit.implements
    (qualified_name) @inherit.implements
    (generic_name . (identifier) @inherit.implements)
  ])) @derived
(interface_declaration (base_list [
    (identifier) @inherit.extends
    (qualified_name) @inherit.extends
    (generic_name . (identifier) @inherit.extends)
  ])) @derived
