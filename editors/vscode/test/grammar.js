// Tokenizes every shipped script and scene with the grammars, and compares the scopes of some words.

const fs = require("fs");
const path = require("path");
const textmate = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const ROOT = path.join(__dirname, "..", "..", "..");
const EXPECTED = {
  "source.steerbox": [
    ["const REACH = param(1.5, 0.0, 2.0); // x", "REACH", "constant.other"],
    ["const REACH = param(1.5, 0.0, 2.0); // x", "param", "entity.name.function"],
    ["const REACH = param(1.5, 0.0, 2.0); // x", "1.5", "constant.numeric"],
    ["const REACH = param(1.5, 0.0, 2.0); // x", "// x", "comment"],
    ["fn steer(me, world) {", "steer", "entity.name.function"],
    ["    me.neighbors.within(REACH)", "neighbors", "variable.other.property"],
    ["    me.neighbors.within(REACH)", "within", "entity.name.function.member"],
    ["let a = s::off(x);", "s", "entity.name.namespace"],
    ['if me.is("fish") { return (); }', "return", "keyword.control"],
    ['if me.is("fish") { return (); }', "fish", "string"],
    ["for i in 0..3 {", "3", "constant.numeric"],
  ],
  "source.steerbox-scene": [
    ['world: Plane(size: (800, 600), edges: Wrap), // x', "Plane", "entity.name.type"],
    ['world: Plane(size: (800, 600), edges: Wrap), // x', "size", "variable.other.property"],
    ['world: Plane(size: (800, 600), edges: Wrap), // x', "800", "constant.numeric"],
    ['bodies: {"craft": Rigid(mass: 1)},', '"craft"', "entity.name.tag"],
  ],
};

async function main() {
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer;
  await oniguruma.loadWASM(wasm);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = path.join(__dirname, "..", "syntaxes", `${scope.split(".")[1]}.tmLanguage.json`);
      return textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file);
    },
  });
  let failures = 0;
  for (const [scope, cases] of Object.entries(EXPECTED)) {
    const grammar = await registry.loadGrammar(scope);
    for (const [line, word, expected] of cases) {
      const at = line.search(new RegExp(`(?<!\\w)${word.replace(/[.*+?^$(){}|[\]\\]/g, "\\$&")}`));
      const token = grammar.tokenizeLine(line, textmate.INITIAL).tokens.find((one) => one.startIndex <= at && at < one.endIndex);
      if (!token.scopes.some((one) => one.startsWith(expected))) {
        console.error(`${line}: ${word} is ${token.scopes.join(" ")}, not ${expected}`);
        failures += 1;
      }
    }
    const [folder, ending] = scope === "source.steerbox" ? ["scripts", ".rhai"] : ["scenes", ".ron"];
    for (const name of fs.readdirSync(path.join(ROOT, folder)).filter((name) => name.endsWith(ending))) {
      let stack = textmate.INITIAL;
      for (const line of fs.readFileSync(path.join(ROOT, folder, name), "utf8").split("\n")) {
        stack = grammar.tokenizeLine(line, stack).ruleStack;
      }
      if (stack.depth !== 1) {
        console.error(`${name}: a comment or text is open at the end`);
        failures += 1;
      }
    }
  }
  console.log(failures === 0 ? "grammars: ok" : `grammars: ${failures} failures`);
  process.exit(failures === 0 ? 0 : 1);
}

main();
