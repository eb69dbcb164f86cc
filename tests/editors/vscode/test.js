// Runs the extension of editors/vscode in the editor of VS Code, in Chromium without a screen, against `steerbox lsp`: its
// project is one of `steerbox new`. With a window of the project on the display, live values are checked, too:
//   npm install && cd PROJECT && node …/test.js [live]
// CHROMIUM is the browser's path, PICTURES a folder for screenshots of failed checks, VERBOSE prints the page's messages.

import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";
import * as esbuild from "esbuild";
import puppeteer from "puppeteer-core";
import { WebSocketServer } from "ws";

const HERE = import.meta.dirname;
const EXTENSION = path.join(HERE, "../../../editors/vscode");
const PROJECT = process.cwd();
const STRAY = ["/stray/scripts/together.rhai", path.join(PROJECT, "other/together.rhai")];
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const TYPES = { ".js": "text/javascript", ".json": "application/json", ".wasm": "application/wasm", ".css": "text/css" };

/** Returns files below a folder with these endings, by path relative to it. */
function texts(folder, endings) {
  const names = fs.readdirSync(folder, { recursive: true }).filter((name) => endings.includes(path.extname(name)));
  return Object.fromEntries(
    names.filter((name) => !name.includes("node_modules")).map((name) => [name, fs.readFileSync(path.join(folder, name), "utf8")]),
  );
}

/** Modules refer to files beside them by `import.meta.url`; these files are served where they are. */
const besideModules = {
  name: "beside-modules",
  setup(build) {
    build.onLoad({ filter: /node_modules\/@codingame\/.*\.js$/ }, async ({ path: file }) => {
      const text = await fs.promises.readFile(file, "utf8");
      const url = JSON.stringify(`/${path.relative(HERE, file)}`);
      return { contents: text.replaceAll("import.meta.url", `new URL(${url}, location.origin).href`), loader: "js" };
    });
  },
};

async function bundle() {
  const modules = path.join(HERE, "node_modules");
  const { outputFiles } = await esbuild.build({
    entryPoints: {
      page: path.join(HERE, "page.js"),
      "editor.worker": path.join(modules, "@codingame/monaco-vscode-editor-api/esm/vs/editor/editor.worker.js"),
      "textmate.worker": path.join(modules, "@codingame/monaco-vscode-textmate-service-override/worker.js"),
    },
    bundle: true,
    format: "esm",
    splitting: true,
    outdir: "/",
    write: false,
    logLevel: "error",
    nodePaths: [modules],
    alias: { path: "path-browserify", "vscode-languageclient/node": path.join(HERE, "client.js") },
    loader: { ".ttf": "dataurl", ".svg": "dataurl", ".png": "dataurl", ".html": "text", ".mp3": "empty" },
    plugins: [besideModules],
  });
  return Object.fromEntries(outputFiles.map((file) => [file.path, file.contents]));
}

function projectOf() {
  const files = texts(PROJECT, [".rhai", ".ron"]);
  return {
    project: PROJECT,
    files: {
      ...Object.fromEntries(Object.entries(files).map(([name, text]) => [path.join(PROJECT, name), text])),
      ...Object.fromEntries(STRAY.map((name) => [name, files["scripts/together.rhai"]])),
    },
    manifest: JSON.parse(fs.readFileSync(path.join(EXTENSION, "package.json"), "utf8")),
    contributed: texts(EXTENSION, [".json"]),
    settings: { "editor.semanticHighlighting.enabled": true, "workbench.colorTheme": "Default Dark Modern" },
  };
}

/** Serves the page, and connects each socket with a language server of its own. */
async function serve() {
  const built = await bundle();
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://here").pathname);
    const file = path.join(HERE, name);
    let body = built[name];
    if (name === "/") {
      body = '<!doctype html><link rel="stylesheet" href="/page.css"><div id="editor" style="height: 95vh"></div>';
      body += '<script type="module" src="/page.js"></script>';
    } else if (name === "/project") {
      body = JSON.stringify(projectOf());
    } else if (!body && name.startsWith("/node_modules/") && fs.existsSync(file)) {
      body = fs.readFileSync(file);
    }
    response.writeHead(body ? 200 : 404, { "content-type": TYPES[path.extname(name)] ?? "text/html" });
    response.end(body ?? "");
  });
  new WebSocketServer({ server }).on("connection", (socket, request) => {
    const { searchParams } = new URL(request.url, "http://here");
    const child = spawn(searchParams.get("command"), searchParams.get("args").split(","), { stdio: ["pipe", "pipe", "inherit"] });
    let received = Buffer.alloc(0);
    child.stdout.on("data", (data) => {
      received = Buffer.concat([received, data]);
      for (;;) {
        const body = received.indexOf("\r\n\r\n") + 4;
        const length = Number(/Content-Length: (\d+)/i.exec(received.toString("latin1", 0, body))?.[1]);
        if (body < 4 || received.length < body + length) return;
        socket.send(received.toString("utf8", body, body + length));
        received = received.subarray(body + length);
      }
    });
    socket.on("message", (data) => child.stdin.write(`Content-Length: ${data.length}\r\n\r\n${data}`));
    socket.on("close", () => child.kill());
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

let page;
let failures = 0;
/** Waits until a function holds in the page. */
async function check(name, holds, ...args) {
  try {
    await page.waitForFunction(holds, { timeout: 20000 }, ...args);
    console.log(`${name}: ok`);
  } catch {
    failures += 1;
    console.log(`${name}: failed`);
    if (process.env.PICTURES) await page.screenshot({ path: path.join(process.env.PICTURES, `${name}.png`) });
  }
}
const shows = (selector, text) => [...document.querySelectorAll(selector)].some((found) => found.innerText.replaceAll("\u00a0", " ").includes(text));
const holds = (text) => editorOf().getModel().getValue().includes(text);
/** Puts the cursor into the first occurrence of a text. */
const go = (text) =>
  page.evaluate((text) => {
    const { range } = editorOf().getModel().findMatches(text, false, false, true, null, true)[0];
    editorOf().setPosition({ lineNumber: range.startLineNumber, column: range.endColumn - 1 });
    editorOf().focus();
  }, text);
const command = (name) => page.evaluate((name) => void editorOf().trigger("test", name, {}), name);

async function checks(live) {
  await page.evaluate(() => window.started);
  const inner = path.join(PROJECT, "inner");
  await page.evaluate((file) => window.create(file, "") || window.open(file), path.join(inner, "scripts/new.rhai"));
  await check("no project", () => editorOf().getModel().getLanguageId() === "rhai");
  await page.evaluate((file) => window.create(file, "()"), path.join(inner, "scenes/new.ron"));
  await check("new project", () => editorOf().getModel().getLanguageId() === "steerbox");
  for (const file of STRAY) {
    await page.evaluate((file) => window.open(file), file);
  }
  const scene = path.join(PROJECT, "scenes/flock.ron");
  await page.evaluate((file) => window.open(file), scene);
  await check("language of scenes", () => editorOf().getModel().getLanguageId() === "steerbox-scene");
  await page.evaluate(() => replace('"together"', '"together", params: {"SHARE": 0.5}'));
  await page.evaluate((file) => window.open(file), path.join(PROJECT, "scripts/together.rhai"));
  await check("language", () => editorOf().getModel().getLanguageId() === "steerbox");
  await check("other folders", (files) => files.every((file) => monaco.editor.getModel(monaco.Uri.file(file)).getLanguageId() === "rhai"), STRAY);
  await check("no diagnostics", () => monaco.editor.getModelMarkers({ resource: editorOf().getModel().uri }).length === 0);
  await check("grammar", () => {
    const colors = [...document.querySelectorAll(".view-line span[class^=mtk]")].map((span) => span.className);
    return new Set(colors).size > 4;
  });
  await check("semantic tokens", async () => {
    const uri = editorOf().getModel().uri;
    const tokens = await vscode.commands.executeCommand("vscode.provideDocumentSemanticTokens", vscode.Uri.file(uri.path));
    return tokens?.data.length > 100;
  });

  await go("neighbors.within");
  await command("editor.action.showHover");
  await check("hover", shows, ".monaco-hover", "List");
  await page.keyboard.press("Escape");

  await page.evaluate(() => replace("me.neighbors", "me.neighbours"));
  await check("diagnostics", () => monaco.editor.getModelMarkers({ resource: editorOf().getModel().uri }).some((marker) => marker.message.includes("not a property of me")));
  await check("squiggle", () => document.querySelector(".squiggly-error") !== null);
  await go("me.neighbours");
  await command("editor.action.quickFix");
  await check("quick fixes", shows, ".action-widget", "neighbors");
  await page.keyboard.press("Enter");
  await check("fix", holds, "me.neighbors.within");
  await check("fixed", () => monaco.editor.getModelMarkers({ resource: editorOf().getModel().uri }).length === 0);

  await go("REACH);");
  await command("editor.action.insertLineAfter");
  await page.keyboard.type("me.neighbors.");
  await check("completion", shows, ".suggest-widget", "mean_position");
  await page.keyboard.press("Escape");
  await command("editor.action.deleteLines");

  await page.evaluate(() => {
    const { uri } = editorOf().getModel();
    const { startLineNumber, startColumn } = editorOf().getModel().findMatches("SHARE =", false, false, true, null, true)[0].range;
    const position = new vscode.Position(startLineNumber - 1, startColumn);
    window.renamed = vscode.commands
      .executeCommand("vscode.executeDocumentRenameProvider", vscode.Uri.file(uri.path), position, "PART")
      .then((edit) => vscode.workspace.applyEdit(edit));
  });
  await check("rename", holds, "toward * PART");
  await check("rename in scenes", (file) => monaco.editor.getModel(monaco.Uri.file(file)).getValue().includes('"PART": 0.5'), scene);
  await command("undo");

  if (live) {
    await page.evaluate(() => vscode.commands.executeCommand("workbench.action.files.save"));
    await check("select", () =>
      vscode.commands.executeCommand("steerbox.selectUnit", 5).then(
        () => true,
        () => false,
      ),
    );
    await check("hints", () => [...document.querySelectorAll(".view-line")].some((line) => / = .*\d units/.test(line.innerText.replaceAll("\u00a0", " "))));
  }
}

const server = await serve();
const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--window-size=1200,800"], headless: true });
page = await browser.newPage();
await page.setViewport({ width: 1200, height: 800 });
if (process.env.VERBOSE) {
  page.on("pageerror", (error) => console.error(`page: ${error.stack ?? error.message}`));
  page.on("console", (message) => console.error(`console: ${message.text()}`));
}
await page.goto(`http://127.0.0.1:${server.address().port}/`);
try {
  await checks(process.argv[2] === "live");
} finally {
  await browser.close();
  server.close();
  server.closeAllConnections();
}
console.log(failures === 0 ? "vscode: ok" : `vscode: ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
