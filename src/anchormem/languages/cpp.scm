; grammar: cpp
; suffixes: .cpp .cc .cxx .c++ .hpp .hh .hxx .h++ .ipp .tpp .inl .ixx .cppm
; separator: ::
; inherits: _c
; own.bare: identifier type_identifier namespace_identifier
; own.types: type_identifier namespace_identifier
; own.member: field_expression.argument.field qualified_identifier.scope.name
; own.member-kinds: field_identifier
; own.receivers: this
; hash.text: raw_string_literal
; aside: function_definition
; aside.in: class_specifier struct_specifier field_declaration_list namespace_definition declaration_list

;; ── namespaces and classes ──────────────────────────────────────────────────────────────────────────────────────────

(namespace_definition
  name: (_) @name
  body: (_) @body) @definition.namespace

(namespace_alias_definition
  name: (_) @name) @definition.type

(class_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.class

(class_specifier
  name: [
    (template_type name: (type_identifier) @name arguments: (_) @tag)
    (qualified_identifier scope: (_) @qualifier name: (type_identifier) @name)
    (qualified_identifier
      scope: (_) @qualifier
      name: (template_type name: (type_identifier) @name arguments: (_) @tag))
  ]
  body: (_) @body) @definition.class

(struct_specifier
  name: [
    (template_type name: (type_identifier) @name arguments: (_) @tag)
    (qualified_identifier scope: (_) @qualifier name: (type_identifier) @name)
    (qualified_identifier
      scope: (_) @qualifier
      name: (template_type name: (type_identifier) @name arguments: (_) @tag))
  ]
  body: (_) @body) @definition.struct

;; `class EXPORTED Name { … }`: without knowing the macro a parser takes it for a function.
(function_definition
  type: (class_specifier name: (_) !body)
  declarator: (identifier) @name
  body: (compound_statement) @body) @definition.class

(function_definition
  type: (struct_specifier name: (_) !body)
  declarator: (identifier) @name
  body: (compound_statement) @body) @definition.struct

(alias_declaration
  name: (type_identifier) @name) @definition.type

(concept_definition
  name: (identifier) @name) @definition.type

(template_declaration (_) @covered) @cover
(linkage_specification body: [(declaration) (function_definition)] @covered) @cover
(linkage_specification body: (declaration_list) @body) @lends
((export_declaration (_) @covered) @cover
  (#not-match? @cover "^export\\s*\\{"))
(export_declaration "{" (_) @body) @lends
(friend_declaration [(declaration) (function_definition)] @covered) @cover
(field_declaration_list (access_specifier) @label)

;; ── functions ───────────────────────────────────────────────────────────────────────────────────────────────────────

(function_definition
  declarator: (_) @declarator.function
  [(default_method_clause) (delete_method_clause) (pure_virtual_clause)]) @definition.function

(function_definition
  declarator: (_) @declarator.function
  (field_initializer_list) @body) @definition.function

(function_definition
  declarator: (_) @declarator.function
  (try_statement) @body) @definition.function

(declaration
  declarator: (init_declarator
    declarator: (identifier) @name
    value: (lambda_expression
      declarator: (lambda_declarator parameters: (_) @parameters)?
      body: (_) @body))) @definition.function

(declaration
  declarator: (init_declarator
    declarator: (structured_binding_declarator (identifier) @name)
    "="? @value
    value: (_)? @value)) @definition.variable

((field_declaration
  (type_qualifier) @_const
  declarator: (_) @declarator.value @definition.constant
  "="? @value
  default_value: (_)? @value) @group
  (#any-of? @_const "const" "constexpr")
  (#set! alone "yes"))

((field_declaration
  declarator: (_) @declarator.value @definition.field
  "="? @value
  default_value: (_)? @value) @group
  (#set! alone "yes"))

(lambda_expression) @fence

;; ── names bound inside ──────────────────────────────────────────────────────────────────────────────────────────────

(parameter_declaration declarator: (reference_declarator (identifier) @local))
(optional_parameter_declaration declarator: [
    (identifier) @local
    (_ declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
  ])
(variadic_parameter_declaration declarator: (variadic_declarator (identifier) @local))
(for_range_loop declarator: [
    (identifier) @local
    (_ declarator: (identifier) @local)
    (reference_declarator (identifier) @local)
  ])
(structured_binding_declarator (identifier) @local)
(lambda_capture_initializer left: (identifier) @local)
(type_parameter_declaration (type_identifier) @local)
(optional_type_parameter_declaration name: (type_identifier) @local)

;; ── uses ────────────────────────────────────────────────────────────────────────────────────────────────────────────

(call_expression
  function: [
    (template_function name: (identifier) @reference.call)
    (field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @reference.call))
    (field_expression argument: (_) @receiver field: (dependent_name (template_method name: (field_identifier) @reference.call)))
    (qualified_identifier scope: (_)? @receiver name: (identifier) @reference.call)
    (qualified_identifier scope: (_)? @receiver name: (template_function name: (identifier) @reference.call))
    (qualified_identifier
      name: (qualified_identifier scope: (_) @receiver name: (identifier) @reference.call))
    (qualified_identifier
      name: (qualified_identifier scope: (_) @receiver name: (template_function name: (identifier) @reference.call)))
    (qualified_identifier
      name: (qualified_identifier
        name: (qualified_identifier scope: (_) @receiver name: (identifier) @reference.call)))
  ])
(new_expression
  type: [
    (type_identifier) @reference.call
    (template_type name: (type_identifier) @reference.call)
    (qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.call)
    (qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @reference.call))
  ])

(using_declaration "namespace" [(identifier) (qualified_identifier) (nested_namespace_specifier)] @import.module) @import
(translation_unit
  (using_declaration
    (qualified_identifier scope: (_) @import.module name: (identifier) @import.name)) @import)

(class_specifier
  (base_class_clause [
    (type_identifier) @inherit.extends
    (template_type) @inherit.extends
    (qualified_identifier) @inherit.extends
  ])) @derived
(struct_specifier
  (base_class_clause [
    (type_identifier) @inherit.extends
    (template_type) @inherit.extends
    (qualified_identifier) @inherit.extends
  ])) @derived
