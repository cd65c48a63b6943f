; grammar: python
; suffixes: .py .pyi .pyw
; shebangs: python pypy
; own.bare: identifier
; own.not: attribute.attribute keyword_argument.name
; own.member: attribute.object.attribute
; own.receivers: self cls
; hash.skip: comment line_continuation
; hash.text: format_specifier
;; A backslash before a line end that the grammar gives no node of its own.
; layout: \s+|\\\n
; hash.string: python:string
;; Documentation that is all of a body counts, but not how it is indented.
; hash.string: python-doc:block/string python-doc:module/string
; hash.string-code: interpolation
; hash.concat: python:concatenated_string
; hash.number: python:integer python:float
; hash.drop: module/";" block/";" with_clause/"(" with_clause/")"
; hash.drop: import_from_statement/"(" import_from_statement/")" future_import_statement/"(" future_import_statement/")"
; hash.drop-empty: class_definition/argument_list
; hash.comma: argument_list parameters lambda_parameters list set dictionary with_clause
; hash.comma: import_from_statement future_import_statement class_pattern dict_pattern list_pattern
; hash.comma-multi: tuple tuple_pattern pattern_list expression_list subscript tuple_expression
; hash.rewrite: debug-text:interpolation declared-comma:type_parameter
; hash.rewrite: bare-subject:match_statement bare-case:case_clause
;; A type in parentheses is parsed as an expression: both are told as that.
; hash.alias: generic_type=subscript union_type=binary_operator
; hash.rewrite: subscripted:generic_type
; hash.parens: type
; hash.parens: parenthesized_expression
;; `(x) = 1`, `for (x) in y`: one element without a comma is no tuple; an annotated target is another thing in parentheses.
; hash.parens-single: tuple_pattern
; hash.parens-keep: typed:assignment
; hash.bare: tuple=expression_list:return_statement tuple=expression_list:yield tuple=expression_list:delete_statement
; hash.bare: tuple=expression_list:for_statement.right tuple=expression_list:assignment.right
; hash.bare: tuple=expression_list:augmented_assignment.right tuple_pattern=pattern_list:for_statement.left
;; Black wraps a long list of targets.
; hash.bare: tuple_pattern=pattern_list:assignment.left tuple_pattern=pattern_list:for_in_clause.left
; hash.bare: tuple=tuple_expression:block tuple=tuple_expression:module tuple=expression_list:interpolation
; aside: function_definition class_definition decorated_definition
; aside.in: class_definition block

;; ── definitions ─────────────────────────────────────────────────────────────────────────────────────────────────────

((class_definition
  name: (identifier) @name
  body: (block) @body) @definition.class)

((function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  body: (block) @body) @definition.constructor
  (#any-of? @name "__init__" "__new__"))

((function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  body: (block) @body) @definition.destructor
  (#eq? @name "__del__"))

(function_definition
  name: (identifier) @name
  parameters: (parameters) @parameters
  body: (block) @body) @definition.function

(decorated_definition definition: (_) @covered) @cover

((decorated_definition
  (decorator [(identifier) @_kind (attribute attribute: (identifier) @_kind)])) @tagged
  (#any-of? @_kind "property" "cached_property" "abstractproperty") (#set! tag "get") (#set! kind "accessor"))
((decorated_definition (decorator (attribute attribute: (identifier) @_kind))) @tagged
  (#eq? @_kind "setter") (#set! tag "set") (#set! kind "accessor"))
((decorated_definition (decorator (attribute attribute: (identifier) @_kind))) @tagged
  (#eq? @_kind "deleter") (#set! tag "del") (#set! kind "accessor"))

(assignment
  left: (identifier) @name
  right: [
    (lambda parameters: (_)? @parameters body: (_) @body)
    (parenthesized_expression (lambda parameters: (_)? @parameters body: (_) @body))
  ]) @definition.function

((assignment left: (identifier) @name right: (_)? @value) @definition.constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))

(assignment left: (identifier) @name right: (_)? @value) @definition.variable

;; Names and value apart: a pattern that waits for the value after each of many names is slow.
(assignment left: [(pattern_list (identifier) @name) (tuple_pattern (identifier) @name)]) @definition.variable
(assignment left: [(pattern_list) (tuple_pattern)] right: (_) @value) @definition.variable

(type_alias_statement
  left: (type [(identifier) @name (generic_type . (identifier) @name)])
  right: (_) @value) @definition.type

;; ── documentation ───────────────────────────────────────────────────────────────────────────────────────────────────

((module (string (string_start) @_opener) @doc.first) @within (#match? @_opener "^[rRuU]?['\"]"))
((block (string (string_start) @_opener) @doc.first) @within (#match? @_opener "^[rRuU]?['\"]"))
((module (concatenated_string (string (string_start) @_opener)+) @doc.first) @within (#match? @_opener "^[rRuU]?['\"]"))
((block (concatenated_string (string (string_start) @_opener)+) @doc.first) @within (#match? @_opener "^[rRuU]?['\"]"))

;; ── names bound inside ──────────────────────────────────────────────────────────────────────────────────────────────

(lambda) @fence
(parameters [(identifier) @local
  (default_parameter name: (identifier) @local)
  (typed_parameter . (identifier) @local)
  (typed_default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
  (typed_parameter (list_splat_pattern (identifier) @local))
  (typed_parameter (dictionary_splat_pattern (identifier) @local))])
(lambda_parameters [(identifier) @local
  (default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)])
(for_statement left: [(identifier) @local (pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(for_in_clause left: [(identifier) @local (pattern_list (identifier) @local) (tuple_pattern (identifier) @local)])
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)
(augmented_assignment left: (identifier) @local)

;; ── uses ────────────────────────────────────────────────────────────────────────────────────────────────────────────

(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))

(import_statement name: (dotted_name) @import.module) 
(import_statement name: (aliased_import name: (dotted_name) @import.module))
(import_from_statement module_name: (_) @import.module) @import
(import_from_statement module_name: (_) @import.module name: (dotted_name) @import.name) @import
(import_from_statement module_name: (_) @import.module
  name: (aliased_import name: (dotted_name) @import.name)) @import
(future_import_statement name: (dotted_name) @import.name) @import

(class_definition superclasses: (argument_list [(identifier) (attribute)] @inherit.extends)) @derived
(class_definition superclasses: (argument_list (subscript value: (_) @inherit.extends))) @derived
