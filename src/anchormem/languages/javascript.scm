; grammar: javascript
; inherits: _ecma _jsx
; suffixes: .js .jsx .mjs .cjs
; shebangs: node nodejs

(field_definition
  property: (_) @name
  value: [
    (arrow_function [parameters: (_) parameter: (_)] @parameters body: (_) @body)
    (function_expression parameters: (_) @parameters body: (_) @body)
  ]) @definition.method

(field_definition
  property: (_) @name
  value: (_)? @value) @definition.field

(formal_parameters (identifier) @local)

(class_declaration (class_heritage (_) @inherit.extends)) @derived
