/// <reference types="tree-sitter-cli/dsl" />
// Behavior scripts of steerbox: the part of Rhai that its sandbox accepts.

const PREC = { assign: 1, coalesce: 2, or: 3, and: 4, bits: 5, equal: 6, compare: 7, in: 8, range: 9, add: 10,
  multiply: 11, power: 12, unary: 13, call: 14 };

module.exports = grammar({
  name: "steerbox",
  extras: $ => [/\s/, $.line_comment, $.block_comment],
  externals: $ => [$.block_comment],
  word: $ => $.identifier,

  rules: {
    source_file: $ => repeat(choice($.function, $._statement)),

    function: $ => seq(optional("private"), "fn", field("name", $.identifier),
      field("parameters", $.parameters), field("body", $.block)),
    parameters: $ => seq("(", optional(seq($.identifier, repeat(seq(",", $.identifier)), optional(","))), ")"),

    block: $ => seq("{", repeat($._statement), optional($._expression), "}"),

    _statement: $ => choice(
      ";",
      $.import,
      $.declaration,
      $._block_statement,
      seq(choice($.assignment, $.return, $.break, $.continue, $.throw, $._expression), ";"),
    ),
    // Statements that end with a block need no `;`.
    _block_statement: $ => prec(1, choice($.if, $.switch, $.for, $.while, $.loop, $.do, $.try, $.block)),

    import: $ => seq("import", field("path", $.string), optional(seq("as", field("alias", $.identifier))), ";"),
    declaration: $ => seq(field("kind", choice("let", "const")), field("name", $.identifier),
      optional(seq("=", field("value", $._expression))), ";"),
    assignment: $ => prec.right(PREC.assign, seq(field("left", $._expression),
      field("operator", choice("=", "+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^=")),
      field("right", $._expression))),
    return: $ => prec.right(seq("return", optional($._expression))),
    throw: $ => prec.right(seq("throw", optional($._expression))),
    break: $ => prec.right(seq("break", optional($._expression))),
    continue: _ => "continue",

    if: $ => seq("if", field("condition", $._expression), field("then", $.block),
      optional(seq("else", field("else", choice($.block, $.if))))),
    switch: $ => seq("switch", field("value", $._expression), "{",
      optional(seq($.case, repeat(seq(",", $.case)), optional(","))), "}"),
    case: $ => seq(field("pattern", choice("_", seq($._pattern, repeat(seq("|", $._pattern))))),
      optional(seq("if", field("condition", $._expression))), "=>",
      field("value", choice($._expression, $.assignment, $.return, $.break, $.continue))),
    _pattern: $ => prec(PREC.bits + 1, $._expression),
    for: $ => seq("for", field("variable", choice($.identifier, $.loop_variables)), "in",
      field("list", $._expression), field("body", $.block)),
    loop_variables: $ => seq("(", $.identifier, ",", $.identifier, ")"),
    while: $ => seq("while", field("condition", $._expression), field("body", $.block)),
    loop: $ => seq("loop", field("body", $.block)),
    do: $ => seq("do", field("body", $.block), choice("while", "until"), field("condition", $._expression)),
    try: $ => seq("try", field("body", $.block), "catch", optional(seq("(", $.identifier, ")")), $.block),

    _expression: $ => choice(
      $.identifier, $.this, $.number, $.boolean, $.string, $.template, $.character, $.unit, $.array, $.map,
      $.parenthesized, $.unary, $.binary, $.member, $.index, $.call, $.path,
      $.if, $.switch, $.loop, $.block,
    ),
    this: _ => "this",
    boolean: _ => choice("true", "false"),
    unit: _ => seq("(", ")"),
    parenthesized: $ => seq("(", $._expression, ")"),
    array: $ => seq("[", optional(seq($._expression, repeat(seq(",", $._expression)), optional(","))), "]"),
    map: $ => seq("#{", optional(seq($.entry, repeat(seq(",", $.entry)), optional(","))), "}"),
    entry: $ => seq(field("key", choice($.identifier, $.string)), ":", field("value", $._expression)),
    unary: $ => prec(PREC.unary, seq(choice("-", "+", "!"), $._expression)),
    binary: $ => choice(...[
      ["??", PREC.coalesce], ["||", PREC.or], ["|", PREC.bits], ["^", PREC.bits], ["&&", PREC.and], ["&", PREC.bits],
      ["==", PREC.equal], ["!=", PREC.equal], ["<", PREC.compare], ["<=", PREC.compare], [">", PREC.compare],
      [">=", PREC.compare], ["in", PREC.in], ["..", PREC.range], ["..=", PREC.range], ["+", PREC.add],
      ["-", PREC.add], ["*", PREC.multiply], ["/", PREC.multiply], ["%", PREC.multiply], ["<<", PREC.multiply],
      [">>", PREC.multiply],
    ].map(([operator, level]) => prec.left(level, seq(field("left", $._expression), field("operator", operator),
      field("right", $._expression)))), prec.right(PREC.power, seq(field("left", $._expression),
      field("operator", "**"), field("right", $._expression)))),
    member: $ => prec.left(PREC.call, seq(field("object", $._expression), choice(".", "?."),
      field("property", $.identifier))),
    index: $ => prec.left(PREC.call, seq(field("object", $._expression), choice("[", "?["), $._expression, "]")),
    call: $ => prec.left(PREC.call, seq(field("function", choice($.identifier, $.member, $.path)),
      field("arguments", $.arguments))),
    arguments: $ => seq("(", optional(seq($._expression, repeat(seq(",", $._expression)), optional(","))), ")"),
    path: $ => seq(field("module", $.identifier), "::", field("name", $.identifier)),

    identifier: _ => /[_\p{L}][_\p{L}\p{N}]*/,
    number: _ => token(choice(/0[xX][0-9a-fA-F_]+/, /0[oO][0-7_]+/, /0[bB][01_]+/,
      /[0-9][0-9_]*(\.[0-9][0-9_]*)?([eE][+-]?[0-9]+)?/)),
    string: _ => token(seq('"', repeat(choice(/[^"\\\n]/, /\\(.|\n)/)), '"')),
    character: _ => token(seq("'", choice(/[^'\\\n]/, /\\./), "'")),
    template: $ => seq("`", repeat(choice($.interpolation, $.template_text)), "`"),
    template_text: _ => token.immediate(prec(1, choice(/[^`$]+/, "$"))),
    interpolation: $ => seq(token.immediate(prec(2, "${")), repeat($._statement), optional($._expression), "}"),

    line_comment: _ => token(seq("//", /[^\n]*/)),
  },
});
