; grammar: csharp
; suffixes: .cs .csx
; own.bare: identifier
; own.member: member_access_expression.expression.name
; own.receivers: this
; hash.skip: comment preproc_region preproc_endregion
; hash.text: string_literal raw_string_literal interpolated_string_expression character_literal
; hash.number: csharp:integer_literal csharp:real_literal
; hash.comma: initializer_expression anonymous_object_creation_expression enum_member_declaration_list
; hash.comma: switch_expression collection_expression

(namespace_declaration
  name: (_) @name
  body: (declaration_list) @body) @definition.namespace

(file_scoped_namespace_declaration
  name: (_) @name) @scope.rest

(class_declaration
  name: (identifier) @name
  body: (declaration_list)? @body) @definition.class

(struct_declaration
  name: (identifier) @name
  body: (declaration_list)? @body) @definition.struct

(interface_declaration
  name: (identifier) @name
  body: (declaration_list)? @body) @definition.interface

(record_declaration
  name: (identifier) @name
  body: (declaration_list)? @body) @definition.record

(record_declaration
  (parameter_list
    (parameter name: (identifier) @name) @definition.property))

(enum_declaration
  name: (identifier) @name
  body: (enum_member_declaration_list) @body) @definition.enum

(enum_member_declaration
  name: (identifier) @name) @definition.member

(delegate_declaration
  name: (identifier) @name
  parameters: (parameter_list) @parameters) @definition.type

(method_declaration
  (explicit_interface_specifier (_) @qualifier)?
  name: (identifier) @name
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

(destructor_declaration
  name: (identifier) @name
  body: (_)? @body) @definition.destructor

(operator_declaration
  operator: _ @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.operator

(conversion_operator_declaration
  type: (_) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.operator

(local_function_statement
  name: (identifier) @name
  parameters: (parameter_list) @parameters
  body: (_)? @body) @definition.function

(property_declaration
  (explicit_interface_specifier (_) @qualifier)?
  name: (identifier) @name
  accessors: (_)? @body) @definition.property

(indexer_declaration
  (explicit_interface_specifier (_) @qualifier)?
  "this" @name
  parameters: (bracketed_parameter_list) @parameters) @definition.property

(event_declaration
  (explicit_interface_specifier (_) @qualifier)?
  name: (identifier) @name) @definition.property

(accessor_declaration
  name: _ @name
  body: (_) @body) @definition.accessor

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
