; grammar: json
; suffixes: .json .jsonc .json5 .webmanifest .geojson
; hash.skip: comment

;; Keys are found on demand, in the anchored file: facts hold none of them. Commas and quotes count: JSON has one spelling.
(pair key: (string (string_content) @name)) @definition.key
