(line_comment) @comment
(block_comment) @comment
(string) @string
(character) @string
(template) @string
(interpolation) @embedded
(number) @number
(boolean) @constant.builtin
(unit) @constant.builtin
(this) @variable.builtin

["let" "const" "fn" "private"] @keyword
["if" "else" "switch" "while" "for" "in" "loop" "do" "until" "return" "break" "try" "catch" "throw"] @keyword.control
(continue) @keyword.control
["import" "as"] @keyword.import

["=" "+=" "-=" "*=" "/=" "%=" "+" "-" "*" "/" "%" "**" "==" "!=" "<" "<=" ">" ">=" "&&" "||" "!" "??" ".." "..=" "=>"] @operator
["(" ")" "[" "]" "{" "}" "#{"] @punctuation.bracket
["," ";" ":" "." "?." "::"] @punctuation.delimiter

(identifier) @variable
((identifier) @constant (#match? @constant "^[A-Z][A-Z0-9_]*$"))
((identifier) @variable.builtin (#match? @variable.builtin "^(me|world)$"))
(parameters (identifier) @variable.parameter)
(member property: (identifier) @property)
(call function: (identifier) @function)
(call function: (member property: (identifier) @function.method))
(call function: (path name: (identifier) @function))
(path module: (identifier) @module)
(function name: (identifier) @function)
(entry key: (identifier) @property)
