// Starts `steerbox lsp` for folders that have scenes, and marks their scripts and scenes as its languages. Files of other
// folders stay with the extensions that claim `.rhai` and `.ron`.

const path = require("path");
const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

const LANGUAGES = { ".rhai": "steerbox", ".ron": "steerbox-scene" };
const FOLDERS = ["scripts", "scenes"];
const COMMANDS = ["pause", "resume", "step", "restart"];

/** @type {LanguageClient | undefined} */
let client;

/** Returns the projects: folders of the workspace with at least one scene. */
async function projects() {
  const scenes = await vscode.workspace.findFiles("**/scenes/*.ron", "**/{node_modules,target}/**");
  return new Set(scenes.map((scene) => path.dirname(path.dirname(scene.fsPath))));
}

/** Sets the language of a document in `scripts/` or `scenes/` of a project. */
async function claim(document, folders) {
  const language = LANGUAGES[path.extname(document.fileName)];
  const isDefinition = document.fileName.endsWith(".d.rhai");
  const folder = path.dirname(document.fileName);
  const isOfProject = FOLDERS.includes(path.basename(folder)) && folders.has(path.dirname(folder));
  if (language && !isDefinition && document.languageId !== language && isOfProject) {
    await vscode.languages.setTextDocumentLanguage(document, language);
  }
}

async function start() {
  const command = vscode.workspace.getConfiguration("steerbox").get("path", "steerbox");
  client = new LanguageClient(
    "steerbox",
    "steerbox",
    { command, args: ["lsp"] },
    {
      documentSelector: ["file", "untitled"].flatMap((scheme) =>
        Object.values(LANGUAGES).map((language) => ({ scheme, language })),
      ),
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rhai,ron}") },
    },
  );
  await client.start();
}

/** Runs a command of the server, and shows its error. */
async function run(command, args) {
  try {
    return await client.sendRequest("workspace/executeCommand", { command: `steerbox.${command}`, arguments: args });
  } catch (error) {
    vscode.window.showErrorMessage(`steerbox: ${error.message}`);
  }
}

async function activate(context) {
  let folders;
  const refresh = async () => {
    folders = await projects();
    for (const document of vscode.workspace.textDocuments) {
      await claim(document, folders);
    }
  };
  await refresh();
  const register = (name, action) =>
    context.subscriptions.push(vscode.commands.registerCommand(`steerbox.${name}`, action));
  const scenes = vscode.workspace.createFileSystemWatcher("**/scenes/*.ron", false, true, true);
  context.subscriptions.push(
    scenes,
    scenes.onDidCreate(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    vscode.workspace.onDidOpenTextDocument((document) => claim(document, folders)),
  );
  for (const command of COMMANDS) {
    register(`window.${command}`, () => run(command, []));
  }
  for (const command of ["runBuffer", "discardBuffer"]) {
    register(`window.${command}`, () => {
      const document = vscode.window.activeTextEditor?.document;
      return document && run(command, [document.uri.toString()]);
    });
  }
  register("window.selectUnit", async () => {
    const unit = await vscode.window.showInputBox({ prompt: "Number of the unit", validateInput: whole });
    return unit && run("selectUnit", [Number(unit)]);
  });
  register("window.openScene", async () => {
    const scene = await vscode.window.showInputBox({ prompt: "Name of the scene" });
    return scene && run("openScene", [scene]);
  });
  register("restartServer", async () => {
    await client?.stop();
    await start();
  });
  await start();
}

function whole(text) {
  return /^\d+$/.test(text) ? undefined : "a whole number";
}

module.exports = { activate, deactivate: () => client?.stop() };
