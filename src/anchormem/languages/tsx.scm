; grammar: tsx
; inherits: typescript _jsx
; suffixes: .tsx
