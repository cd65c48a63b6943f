; grammar: bash
; suffixes: .sh .bash .bats .ksh .zsh
; filenames: .bashrc .bash_profile .bash_aliases .profile PKGBUILD APKBUILD
; shebangs: sh bash dash ksh zsh ash
; doc: #(?!!)
; doc.adjacent: yes
; layout: (?:\s|\\\n)+
; own.bare: command_name variable_name
; own.wraps: command_name
; own.call: command.name
; hash.skip: comment
; hash.text: string heredoc_body expansion regex ansi_c_string translated_string
;; Between statements `;` is a line end; `;;` of a case and the `;` of a counting loop are other things.
; hash.alias: extglob_pattern=word
; hash.drop: program/";" compound_statement/";" subshell/";" do_group/";" case_item/";" command_substitution/";"
; hash.drop: if_statement/";" elif_clause/";" else_clause/";" while_statement/";" for_statement/";" process_substitution/";"
; hash.rewrite: dollar-brackets:command_substitution dollar-brackets:arithmetic_expansion
; hash.rewrite: text-lead:heredoc_redirect
; aside: function_definition

(function_definition name: (word) @name body: (_) @body) @definition.function

((declaration_command
  ["readonly" "declare" "typeset" "export" "local"] @_word
  (word)* @_flag
  (variable_assignment name: (variable_name) @name value: (_)? @value) @definition.constant) @group
  (#eq? @_word "readonly"))
((declaration_command
  (variable_assignment name: (variable_name) @name value: (_)? @value) @definition.variable) @group)
(variable_assignment name: (variable_name) @name value: (_)? @value) @definition.variable

(for_statement variable: (variable_name) @local)
(declaration_command "local" (variable_name) @local)
(declaration_command "local" (variable_assignment name: (variable_name) @local))

(command name: (command_name (word) @reference.call))
((command name: (command_name (word) @_command) . argument: [(word) (string) (raw_string)] @import.module)
  (#any-of? @_command "source" "."))
