; grammar: php
; suffixes: .php .phtml .phps .php3 .php4 .php5 .php7 .php8
; shebangs: php
; separator: \
; doc: /\*\*(?!/)
;; Annotations that frameworks and test runners act upon. Types, lint hints and remarks are documentation.
; directive.within: @(?!(?:SuppressWarnings|TODO|FIXME|NOTE|XXX|BC)\b)(?:[A-Z]\w*|[a-z]\w*(?=\\))[\w\\]*(?:\s*\((?:[^()"]|"[^"]*"|\((?:[^()"]|"[^"]*"|\([^()]*\))*\))*\))?|@(?:dataProvider|testWith|test|testdox|depends\w*|group|requires|before\w*|after\w*|runInSeparateProcess|runTestsInSeparateProcesses|preserveGlobalState|backupGlobals|backupStaticAttributes|covers\w*|uses)\b[^\n*]*
; own.bare: name
; own.not: variable_name.* member_access_expression.name member_call_expression.name nullsafe_member_access_expression.name
; own.not: nullsafe_member_call_expression.name scoped_property_access_expression.name qualified_name.* namespace_name.*
; own.not: argument.name const_element.* goto_statement.* named_label_statement.* use_instead_of_clause.*
; own.not: use_as_clause.* property_hook.* namespace_use_clause.*
; own.call: function_call_expression.function
; own.never: method constructor destructor accessor property field constant variable enum_member
; own.member: member_access_expression.object.name member_call_expression.object.name
; own.member: nullsafe_member_access_expression.object.name nullsafe_member_call_expression.object.name
; own.member: scoped_call_expression.scope.name class_constant_access_expression.#0.#1
; own.receivers: $this self static
; hash.skip: comment
; hash.text: shell_command_expression text_interpolation
; hash.string: php:string php:encapsed_string php-heredoc:heredoc php-heredoc:nowdoc
; hash.string-code: variable_name dynamic_variable_name member_access_expression nullsafe_member_access_expression
; hash.string-code: subscript_expression member_call_expression nullsafe_member_call_expression
; hash.string-code: function_call_expression scoped_property_access_expression scoped_call_expression
; hash.alias: encapsed_string=string
; hash.number: plain:integer plain:float
;; Where PHP and the grammar bind alike, and PHP 7 and 8 do. The rest keeps its parentheses: `**` and `instanceof` beside prefix
;; operators, `.` with sums and shifts, `and` and its like, what reaches as far as it can, names that would be other things.
; hash.parens: parenthesized_expression
; hash.parens-keep: */binary_expression~and */binary_expression~or */binary_expression~xor binary_expression~**/*
; hash.parens-keep: binary_expression~./binary_expression~+ binary_expression~./binary_expression~-
; hash.parens-keep: binary_expression~./binary_expression~<< binary_expression~./binary_expression~>>
; hash.parens-keep: unary_op_expression~-/binary_expression~instanceof unary_op_expression~+/binary_expression~instanceof
; hash.parens-keep: unary_op_expression~~/binary_expression~instanceof error_suppression_expression/* cast_expression/*
; hash.parens-keep: unary_op_expression/unary_op_expression unary_op_expression/error_suppression_expression
; hash.parens-keep: unary_op_expression/cast_expression
; hash.parens-keep: unary_op_expression/object_creation_expression unary_op_expression/update_expression
; hash.parens-keep: clone_expression/* print_intrinsic/* yield_expression/* throw_expression/* include_expression/*
; hash.parens-keep: include_once_expression/* require_expression/* require_once_expression/* arrow_function/*
; hash.parens-keep: */print_intrinsic */yield_expression */throw_expression */include_expression */include_once_expression
; hash.parens-keep: */clone_expression binary_expression~instanceof/unary_op_expression
; hash.parens-keep: */require_expression */require_once_expression */arrow_function
; hash.parens-keep: object_creation_expression/name object_creation_expression/qualified_name
; hash.parens-keep: object_creation_expression/relative_name conditional_expression/conditional_expression
; hash.parens-keep: binary_expression/name binary_expression/qualified_name binary_expression/relative_name
; hash.parens-keep: function_call_expression/name function_call_expression/qualified_name
; hash.parens-keep: function_call_expression/relative_name scoped_call_expression/* scoped_property_access_expression/*
; hash.parens-keep: class_constant_access_expression/*
; hash.parens-chain: "?->" nullsafe_member_access_expression nullsafe_member_call_expression member_access_expression
; hash.parens-chain: member_call_expression subscript_expression function_call_expression
; hash.rewrite: short-list:array_creation_expression short-list:list_literal else-if:if_statement unset-comma:unset_statement
; hash.drop: property_declaration/","
; hash.drop-empty: object_creation_expression/arguments anonymous_class/arguments
; hash.comma: arguments formal_parameters array_creation_expression list_literal match_block match_condition_list
; hash.comma: attribute_group anonymous_function_use_clause
; aside: function_definition method_declaration class_declaration
; aside.in: class_declaration declaration_list

;; ── namespaces, classes ─────────────────────────────────────────────────────────────────────────────────────────────

(namespace_definition
  name: (namespace_name) @name
  body: (_) @body) @definition.namespace

(namespace_definition
  name: (namespace_name) @name
  !body) @scope.rest

(class_declaration
  name: (name) @name
  body: (_) @body) @definition.class

(interface_declaration
  name: (name) @name
  body: (_) @body) @definition.interface

(trait_declaration
  name: (name) @name
  body: (_) @body) @definition.trait

(enum_declaration
  name: (name) @name
  body: (_) @body) @definition.enum

(enum_case
  name: (name) @name
  "="? @value
  value: (_)? @value) @definition.enum_member

;; ── functions ───────────────────────────────────────────────────────────────────────────────────────────────────────

((method_declaration
  name: (name) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.constructor
  (#eq? @name "__construct"))

((method_declaration
  name: (name) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.destructor
  (#eq? @name "__destruct"))

(method_declaration
  name: (name) @name
  parameters: (_) @parameters
  body: (_)? @body) @definition.method

(function_definition
  name: (name) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.function

(assignment_expression
  left: (variable_name (name) @name)
  right: [
    (anonymous_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameters: (_) @parameters body: (_) @body)
  ]) @definition.function

(property_hook
  (name) @name
  body: (_) @body) @definition.accessor

;; ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────────

((const_declaration
  (const_element
    .
    (name) @name
    "=" @value
    (_) @value .) @definition.constant) @group
  (#set! alone "yes"))

((property_declaration
  (property_element
    name: (variable_name (name) @name)
    "="? @value
    default_value: (_)? @value) @definition.property
  (property_hook_list)? @body) @group
  (#set! alone "yes"))

((property_promotion_parameter
  name: [(variable_name (name) @name) (by_ref (variable_name (name) @name))]
  "="? @value
  default_value: (_)? @value
  (property_hook_list)? @body) @definition.property
  (#set! outward "yes"))

((function_call_expression
  function: (name) @_define
  arguments: (arguments
    .
    (argument [(string (string_content) @name) (encapsed_string . (string_content) @name .)])
    .
    (argument) @value)) @definition.constant
  (#any-of? @_define "define" "DEFINE"))

(expression_statement
  (assignment_expression
    left: (variable_name (name) @name)
    right: (_) @value) @definition.variable)

(expression_statement [
    (assignment_expression)
    (function_call_expression)
  ] @covered) @cover

[(anonymous_function) (arrow_function)] @fence

;; ── uses ────────────────────────────────────────────────────────────────────────────────────────────────────────────

(function_call_expression
  function: [
    (name) @reference.call
    (qualified_name prefix: (_) @receiver (name) @reference.call)
  ])
(member_call_expression object: (_) @receiver name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call)
(object_creation_expression [
    (name) @reference.call
    (qualified_name (name) @reference.call .)
  ])
(attribute [
    (name) @reference.call
    (qualified_name (name) @reference.call .)
  ])

(namespace_use_declaration
  (namespace_use_clause . type: _? . [(name) (qualified_name)] @import.module))
(namespace_use_declaration
  (namespace_name) @import.module
  body: (namespace_use_group
    (namespace_use_clause . type: _? . [(name) (qualified_name)] @import.name))) @import

(include_expression [
    (string) @import.module
    (encapsed_string) @import.module
    (parenthesized_expression (string) @import.module)
    (binary_expression right: (string) @import.module)
    (parenthesized_expression (binary_expression right: (string) @import.module))
  ])
(include_once_expression [
    (string) @import.module
    (encapsed_string) @import.module
    (parenthesized_expression (string) @import.module)
    (binary_expression right: (string) @import.module)
    (parenthesized_expression (binary_expression right: (string) @import.module))
  ])
(require_expression [
    (string) @import.module
    (encapsed_string) @import.module
    (parenthesized_expression (string) @import.module)
    (binary_expression right: (string) @import.module)
    (parenthesized_expression (binary_expression right: (string) @import.module))
  ])
(require_once_expression [
    (string) @import.module
    (encapsed_string) @import.module
    (parenthesized_expression (string) @import.module)
    (binary_expression right: (string) @import.module)
    (parenthesized_expression (binary_expression right: (string) @import.module))
  ])

(class_declaration (base_clause [(name) (qualified_name)] @inherit.extends)) @derived
(class_declaration (class_interface_clause [(name) (qualified_name)] @inherit.implements)) @derived
(interface_declaration (base_clause [(name) (qualified_name)] @inherit.extends)) @derived
(enum_declaration (class_interface_clause [(name) (qualified_name)] @inherit.implements)) @derived
(class_declaration
  body: (declaration_list (use_declaration [(name) (qualified_name)] @inherit.mixin))) @derived
(trait_declaration
  body: (declaration_list (use_declaration [(name) (qualified_name)] @inherit.mixin))) @derived
(enum_declaration
  body: (enum_declaration_list (use_declaration [(name) (qualified_name)] @inherit.mixin))) @derived
