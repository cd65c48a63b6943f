; doc: /\*\*(?![/*<])|/\*!(?!<)|///(?![/<])|//!(?!<)
; layout: \s+|\\\n
; mask: c
; hash.skip: comment
; hash.text: char_literal system_lib_string
; hash.string: verbatim:string_literal
; hash.concat: c:concatenated_string
; hash.number: c:number_literal
; hash.relex: c:preproc_arg
; hash.rewrite: directive-word:preproc_include directive-word:preproc_def directive-word:preproc_function_def
; hash.rewrite: directive-word:preproc_call directive-word:preproc_if directive-word:preproc_ifdef
; hash.rewrite: directive-word:preproc_else directive-word:preproc_elif directive-word:preproc_elifdef
;; The commas between declarators: each declarator is a definition of its own.
; hash.drop: declaration/"," field_declaration/"," type_definition/","
; hash.comma: initializer_list enumerator_list

;; ── macros ──────────────────────────────────────────────────────────────────────────────────────────────────────────

(preproc_def
  name: (identifier) @name
  value: (_)? @value) @definition.macro

(preproc_function_def
  name: (identifier) @name
  parameters: (preproc_params) @parameters
  value: (_)? @body) @definition.macro

;; ── types ───────────────────────────────────────────────────────────────────────────────────────────────────────────

(struct_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.struct

(union_specifier
  name: (type_identifier) @name
  body: (_) @body) @definition.union

(enum_specifier
  name: (_) @name
  body: (_) @body) @definition.enum

((enumerator
  name: (identifier) @name
  value: (_)? @value) @definition.enum_member
  (#set! chained "yes"))

;; `typedef struct { … } name;` is that struct, and so is `typedef struct name { … } name;`.
(type_definition
  type: (struct_specifier !name body: (_) @body)
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @definition.struct

(type_definition
  type: (union_specifier !name body: (_) @body)
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @definition.union

(type_definition
  type: (enum_specifier !name body: (_) @body)
  declarator: [(type_identifier) @name (pointer_declarator declarator: (type_identifier) @name)]) @definition.enum

((type_definition
  type: [
    (struct_specifier name: (_) @_tag body: (_))
    (union_specifier name: (_) @_tag body: (_))
    (enum_specifier name: (_) @_tag body: (_))
  ] @covered
  .
  declarator: (type_identifier) @_name
  .) @cover
  (#eq? @_tag @_name))

((type_definition
  type: [
    (struct_specifier name: (_) @_tag)
    (union_specifier name: (_) @_tag)
    (enum_specifier name: (_) @_tag)
  ]
  declarator: (type_identifier) @declarator.value @definition.type) @group
  (#not-eq? @_tag @declarator.value)
  (#set! alone "yes"))

((type_definition
  type: [
    (struct_specifier name: (_))
    (union_specifier name: (_))
    (enum_specifier name: (_))
  ]
  declarator: [
    (pointer_declarator)
    (array_declarator)
    (function_declarator)
    (parenthesized_declarator)
  ] @declarator.value @definition.type) @group
  (#set! alone "yes"))

((type_definition
  type: [
    (primitive_type)
    (sized_type_specifier)
    (type_identifier)
    (_ !body)
  ] @_type
  declarator: (_) @declarator.value @definition.type) @group
  (#not-match? @_type "^(struct|union|enum|class)\\b")
  (#set! alone "yes"))

((type_definition
  type: (_) @_type
  declarator: (_) @declarator.function @definition.type) @group
  (#set! alone "yes"))

;; ── functions ───────────────────────────────────────────────────────────────────────────────────────────────────────

(function_definition
  declarator: (_) @declarator.function
  body: (_) @body) @definition.function

((declaration
  declarator: (_) @declarator.function @definition.function) @group
  (#set! alone "yes"))

((field_declaration
  declarator: (_) @declarator.function @definition.function) @group
  (#set! alone "yes"))

;; ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────────

((declaration
  (type_qualifier) @_const
  declarator: [
    (init_declarator "="? @value value: (_) @value)
    (_)
  ] @declarator.value @definition.constant) @group
  (#any-of? @_const "const" "constexpr")
  (#set! alone "yes"))

((declaration
  declarator: [
    (init_declarator "="? @value value: (_) @value)
    (_)
  ] @declarator.value @definition.variable) @group
  (#set! alone "yes"))

;; ── names bound inside ──────────────────────────────────────────────────────────────────────────────────────────────

(parameter_declaration
  declarator: [
    (identifier) @local
    (_ declarator: (identifier) @local)
    (_ declarator: (_ declarator: (identifier) @local))
    (_ (pointer_declarator declarator: (identifier) @local))
  ])

;; ── uses ────────────────────────────────────────────────────────────────────────────────────────────────────────────

(call_expression
  function: [
    (identifier) @reference.call
    (field_expression argument: (_) @receiver field: (field_identifier) @reference.call)
  ])

(preproc_include
  path: [(system_lib_string) (string_literal)] @import.module)
