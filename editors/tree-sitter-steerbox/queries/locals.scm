(function) @local.scope
(block) @local.scope
(for) @local.scope
(parameters (identifier) @local.definition)
(declaration name: (identifier) @local.definition)
(for variable: (identifier) @local.definition)
(loop_variables (identifier) @local.definition)
(identifier) @local.reference
