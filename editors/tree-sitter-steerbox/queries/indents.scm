["(" "[" "{" "#{"] @indent.begin
[")" "]" "}"] @indent.branch @indent.end
(line_comment) @indent.ignore
(block_comment) @indent.ignore
