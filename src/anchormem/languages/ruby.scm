; grammar: ruby
; suffixes: .rb .rake .gemspec .ru .rbi .podspec
; filenames: Rakefile Gemfile Guardfile Vagrantfile Podfile Brewfile Capfile Fastfile
; shebangs: ruby jruby truffleruby
; separator: ::
; doc: #(?!!)
; doc.adjacent: yes
;; Magic comments change what the file means.
; directive: #.*\b(?:frozen_string_literal|encoding|coding|shareable_constant_value|warn_indent)\b\s*:
; layout: (?:\s|\\\n)+
; own.bare: identifier constant
; own.not: scope_resolution.name keyword_parameter.* pair.key alias.* undef.*
; own.call: call.method
; own.member: call.receiver.method
; own.receivers: self
; hash.skip: comment
; hash.text: regex subshell delimited_symbol bare_string bare_symbol
; hash.string: ruby:string
; hash.string-code: interpolation
; hash.tail-opener: heredoc_beginning
; hash.tail: heredoc_body
; hash.rewrite: closer-indent:heredoc_body
; hash.number: plain:integer plain:float
;; Never between the bars of a block: `|a, |` takes a list apart.
; hash.comma: array hash argument_list
; aside: method singleton_method class
; aside.in: class module body_statement

;; ── modules, classes ────────────────────────────────────────────────────────────────────────────────────────────────

(module name: (_) @name body: (_)? @body) @definition.module
(class name: (_) @name body: (_)? @body) @definition.class

((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_kind method: (identifier) @_new block: (_)? @body)) @definition.class
  (#any-of? @_kind "Struct" "Class" "Data") (#any-of? @_new "new" "define"))
((assignment
  left: (constant) @name
  right: (call receiver: (constant) @_kind method: (identifier) @_new block: (_) @body)) @definition.module
  (#eq? @_kind "Module") (#eq? @_new "new"))

;; ── methods ─────────────────────────────────────────────────────────────────────────────────────────────────────────

((singleton_class
  body: (body_statement
    (method
      name: (_) @name
      parameters: (_)? @parameters
      body: (_)? @body) @definition.method))
  (#set! tag "<<self."))
((singleton_class
  body: (body_statement
    (call arguments: (argument_list
      (method
        name: (_) @name
        parameters: (_)? @parameters
        body: (_)? @body) @definition.method))))
  (#set! tag "<<self."))

((singleton_method
  object: (self)
  name: (_) @name
  parameters: (_)? @parameters
  body: (_)? @body) @definition.method
  (#set! tag "self."))
((singleton_method
  object: [(constant) (identifier)] @tag
  name: (_) @name
  parameters: (_)? @parameters
  body: (_)? @body) @definition.method)

((method
  name: (_) @name
  parameters: (_)? @parameters
  body: (_)? @body) @definition.constructor
  (#eq? @name "initialize"))

((method
  name: (_) @name
  parameters: (_)? @parameters
  body: (_)? @body) @definition.function
  (#set! tag "#"))

((call
  method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name)
  block: (_ body: (_)? @body)) @definition.function
  (#any-of? @_define "define_method" "define_singleton_method"))

((call
  method: (identifier) @_define
  arguments: (argument_list (simple_symbol) @name)) @definition.accessor
  (#any-of? @_define "attr_accessor" "attr_reader" "attr_writer" "attr"))

(alias name: [(identifier) (operator) (constant)] @name) @definition.function
((call
  method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) @name)) @definition.function
  (#eq? @_define "alias_method"))

;; ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────────

(assignment
  left: [(identifier) (constant)] @name
  right: (lambda parameters: (_)? @parameters body: (_) @body)) @definition.function
((assignment
  left: [(identifier) (constant)] @name
  right: (call !receiver method: (identifier) @_lambda block: (_) @body)) @definition.function
  (#any-of? @_lambda "lambda" "proc"))

(assignment left: (constant) @name right: (_) @value) @definition.constant
(assignment
  left: [(identifier) (global_variable) (class_variable) (instance_variable)] @name
  right: (_) @value) @definition.variable

;; ── what surrounds a definition ─────────────────────────────────────────────────────────────────────────────────────

((body_statement (identifier) @label)
  (#any-of? @label "private" "protected" "public" "module_function" "private_class_method"))
((program (identifier) @label)
  (#any-of? @label "private" "public"))
((call method: (identifier) @_visibility arguments: (argument_list . [(method) (singleton_method)] @covered .)) @cover
  (#any-of? @_visibility "private" "protected" "public" "module_function" "private_class_method"))

(lambda) @fence
(block) @fence
(do_block) @fence

(method_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(block_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)
(operator_assignment left: (identifier) @local)
(for pattern: (identifier) @local)
(exception_variable (identifier) @local)

;; ── uses ────────────────────────────────────────────────────────────────────────────────────────────────────────────

(call receiver: (_)? @receiver method: [(identifier) (constant)] @reference.call)
((call method: (identifier) @_require . arguments: (argument_list . (string (string_content) @import.module)))
  (#any-of? @_require "require" "require_relative" "load" "autoload"))

(class superclass: (superclass [(constant) (scope_resolution)] @inherit.extends)) @derived
((class body: (body_statement
  (call method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @inherit.mixin)))) @derived
  (#any-of? @_mix "include" "extend" "prepend"))
((module body: (body_statement
  (call method: (identifier) @_mix arguments: (argument_list [(constant) (scope_resolution)] @inherit.mixin)))) @derived
  (#any-of? @_mix "include" "extend" "prepend"))
