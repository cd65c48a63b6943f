; own.bare: identifier
; own.not: import_specifier.name import_specifier.alias export_specifier.alias
; own.member: member_expression.object.property
; own.member-kinds: property_identifier private_property_identifier
; own.receivers: this
; doc: /\*\*
; hash.skip: comment html_comment
; hash.string: js:string directive:expression_statement/string verbatim:template_string
; hash.string-code: template_substitution
; hash.atom: regex
; hash.number: js:number
;; Semicolons end statements and members; a loop's or if's empty body and the headers of for stay.
; hash.drop: expression_statement/";" lexical_declaration/";" variable_declaration/";" return_statement/";"
; hash.drop: throw_statement/";" break_statement/";" continue_statement/";" debugger_statement/";" do_statement/";"
; hash.drop: import_statement/";" export_statement/";" class_body/";"
; hash.drop: program/empty_statement statement_block/empty_statement
; hash.drop: switch_case/empty_statement switch_default/empty_statement
;; The commas between declarators: each declarator is a definition of its own.
; hash.drop: lexical_declaration/"," variable_declaration/","
;; `new X` is `new X()`.
; hash.drop-empty: new_expression/arguments
; hash.comma: arguments formal_parameters array object array_pattern object_pattern named_imports export_clause
; hash.parens: parenthesized_expression
; hash.parens-keep: expression_statement/string export_statement/generator_function
; hash.parens-chain: optional_chain member_expression subscript_expression call_expression
; hash.rewrite: plain-parameter:arrow_function plain-key:pair plain-key:pair_pattern logical:binary_expression
;; No semicolon is inserted by the grammar where only the language does: `return` on a line of its own.
; hash.rewrite: line-break:return_statement line-break:yield_expression
; aside: function_declaration generator_function_declaration class_declaration method_definition export_statement
; aside.in: class_declaration class_body export_statement
; aside.before: decorator

;; ── functions and classes ───────────────────────────────────────────────────────────────────────────────────────────

(function_declaration
  name: (_) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.function

(generator_function_declaration
  name: (_) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.function

(class_declaration
  name: (_) @name
  body: (_) @body) @definition.class

((method_definition
  name: (property_identifier) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.constructor
  (#eq? @name "constructor"))

(method_definition
  "static" @tag
  ["get" "set"] @tag
  name: (_) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.accessor

(method_definition
  ["get" "set"] @tag
  name: (_) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.accessor

(method_definition
  "static" @tag
  name: (_) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.method

(method_definition
  name: (_) @name
  parameters: (_) @parameters
  body: (_) @body) @definition.method

;; ── values and functions assigned to a name ─────────────────────────────────────────────────────────────────────────

(lexical_declaration
  (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function parameters: (_) @parameters body: (_) @body)
      (parenthesized_expression [
        (arrow_function parameters: (_) @parameters body: (_) @body)
        (arrow_function parameter: (_) @parameters body: (_) @body)
        (function_expression parameters: (_) @parameters body: (_) @body)
      ])
      (arrow_function parameter: (_) @parameters body: (_) @body)
      (function_expression parameters: (_) @parameters body: (_) @body)
      (generator_function parameters: (_) @parameters body: (_) @body)
    ]) @definition.function) @group

(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: [
      (arrow_function parameters: (_) @parameters body: (_) @body)
      (parenthesized_expression [
        (arrow_function parameters: (_) @parameters body: (_) @body)
        (arrow_function parameter: (_) @parameters body: (_) @body)
        (function_expression parameters: (_) @parameters body: (_) @body)
      ])
      (arrow_function parameter: (_) @parameters body: (_) @body)
      (function_expression parameters: (_) @parameters body: (_) @body)
      (generator_function parameters: (_) @parameters body: (_) @body)
    ]) @definition.function) @group

(lexical_declaration
  (variable_declarator
    name: (identifier) @name
    value: (class body: (_) @body)) @definition.class) @group

(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: (class body: (_) @body)) @definition.class) @group

(lexical_declaration
  kind: "const"
  (variable_declarator
    name: (identifier) @name
    value: (_)? @value) @definition.constant) @group

(lexical_declaration
  (variable_declarator
    name: (identifier) @name
    value: (_)? @value) @definition.variable) @group

(variable_declaration
  (variable_declarator
    name: (identifier) @name
    value: (_)? @value) @definition.variable) @group

;; Names and value apart: a pattern that waits for the value after each of many names is slow.
(lexical_declaration
  (variable_declarator
    name: [
      (object_pattern [
        (shorthand_property_identifier_pattern) @name.kept
        (pair_pattern value: (identifier) @name)
        (pair_pattern value: (object_pattern (shorthand_property_identifier_pattern) @name.kept))
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name.kept)
        (rest_pattern (identifier) @name)
      ])
      (array_pattern [(identifier) @name (rest_pattern (identifier) @name)])
    ]) @definition.variable) @group

(lexical_declaration
  (variable_declarator
    name: [(object_pattern) (array_pattern)]
    value: (_) @value) @definition.variable) @group

(variable_declaration
  (variable_declarator
    name: [
      (object_pattern [
        (shorthand_property_identifier_pattern) @name.kept
        (pair_pattern value: (identifier) @name)
        (pair_pattern value: (object_pattern (shorthand_property_identifier_pattern) @name.kept))
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name.kept)
        (rest_pattern (identifier) @name)
      ])
      (array_pattern [(identifier) @name (rest_pattern (identifier) @name)])
    ]) @definition.variable) @group

(variable_declaration
  (variable_declarator
    name: [(object_pattern) (array_pattern)]
    value: (_) @value) @definition.variable) @group

(assignment_expression
  left: (identifier) @name
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.function

((assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @qualifier property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.method
  (#eq? @_prototype "prototype"))

((assignment_expression
  left: (member_expression object: (identifier) @qualifier property: (property_identifier) @name)
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.function
  (#not-match? @qualifier "^(exports|module|window|globalThis|self)$"))

(assignment_expression
  left: (member_expression property: [(property_identifier) (private_property_identifier)] @name)
  right: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.function

((assignment_expression
  left: (member_expression object: (_) @_exports property: (property_identifier) @name)
  right: (_) @value) @definition.variable
  (#any-of? @_exports "exports" "module.exports"))

;; ── members of object literals ──────────────────────────────────────────────────────────────────────────────────────

(pair
  key: [(property_identifier) (string) (private_property_identifier)] @name
  value: [
    (arrow_function parameters: (_) @parameters body: (_) @body)
    (arrow_function parameter: (_) @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
    (generator_function parameters: (_) @parameters body: (_) @body)
  ]) @definition.method

(pair key: [(property_identifier) (string)] @name value: (object)) @scope

(export_statement
  "default" @name
  value: [
    (arrow_function [parameters: (_) parameter: (_)] @parameters body: (_) @body)
    (function_expression !name parameters: (_) @parameters body: (_) @body)
  ]) @definition.function

(export_statement "default" @name value: (class !name body: (_) @body)) @definition.class

(export_statement declaration: (_) @covered) @cover

;; ── names bound inside ──────────────────────────────────────────────────────────────────────────────────────────────

[
  (arrow_function)
  (function_expression)
  (generator_function)
  (class_static_block)
  (for_statement)
  (for_in_statement)
] @fence

(function_expression name: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(rest_pattern (identifier) @local)
(assignment_pattern left: (identifier) @local)

;; ── uses ────────────────────────────────────────────────────────────────────────────────────────────────────────────

(call_expression function: (identifier) @reference.call)
(call_expression
  function: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression constructor: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))

(import_statement source: (string) @import.module) @import
(import_statement (import_clause (identifier) @import.name) source: (string) @import.module) @import
(import_statement
  (import_clause (named_imports (import_specifier name: (_) @import.name)))
  source: (string) @import.module) @import
(export_statement source: (string) @import.module) @import
(export_statement (export_clause (export_specifier name: (_) @import.name)) source: (string) @import.module) @import
((call_expression function: (identifier) @_require arguments: (arguments . (string) @import.module .)) @import
  (#eq? @_require "require"))
(call_expression function: (import) arguments: (arguments . (string) @import.module)) @import
