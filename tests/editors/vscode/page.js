// The editor of VS Code with the extension steerbox in a page. The project's files are copies in memory, at their paths
// on the disk, so that the server finds the project.

import { registerExtension, ExtensionHostKind } from "@codingame/monaco-vscode-api/extensions";
import getBulkEditServiceOverride from "@codingame/monaco-vscode-bulk-edit-service-override";
import * as monaco from "@codingame/monaco-vscode-editor-api";
import {
  RegisteredFileSystemProvider,
  RegisteredMemoryFile,
  registerFileSystemOverlay,
} from "@codingame/monaco-vscode-files-service-override";
import { MonacoVscodeApiWrapper } from "monaco-languageclient/vscodeApiWrapper";
import * as vscode from "vscode";
import extension from "../../../editors/vscode/src/extension.js";

let editor;

/** Opens an editor of a file in place of the one that is open. */
async function open(path) {
  const reference = await monaco.editor.createModelReference(monaco.Uri.file(path));
  editor?.dispose();
  editor = monaco.editor.create(document.getElementById("editor"), {
    model: reference.object.textEditorModel,
    automaticLayout: true,
  });
  editor.focus();
}

/** Replaces the first occurrence of a text in the open file. */
function replace(text, by) {
  const { range } = editor.getModel().findMatches(text, false, false, true, null, true)[0];
  editor.executeEdits("test", [{ range, text: by }]);
}

async function start() {
  const { project, files, manifest, contributed, settings } = await (await fetch("/project")).json();
  const provider = new RegisteredFileSystemProvider(false);
  const scenes = [];
  const create = (path, text) => {
    if (path.startsWith(project) && /\/scenes\/[^/]*\.ron$/.test(path)) scenes.push(vscode.Uri.file(path));
    provider.registerFile(new RegisteredMemoryFile(monaco.Uri.file(path), text));
  };
  Object.entries(files).forEach(([path, text]) => create(path, text));
  registerFileSystemOverlay(1, provider);
  const api = new MonacoVscodeApiWrapper({
    $type: "extended",
    viewsConfig: { $type: "EditorService" },
    serviceOverrides: { ...getBulkEditServiceOverride() },
    workspaceConfig: {
      workspaceProvider: {
        trusted: true,
        workspace: { folderUri: monaco.Uri.file(project) },
        open: async () => false,
      },
    },
    userConfiguration: { json: JSON.stringify(settings) },
    monacoWorkerFactory: () => {
      const workers = { editorWorkerService: "/editor.worker.js", TextMateWorker: "/textmate.worker.js" };
      Object.assign(self.MonacoEnvironment, {
        getWorkerUrl: (_, label) => workers[label],
        getWorkerOptions: () => ({ type: "module" }),
      });
    },
  });
  await api.start();

  // An extension that claims `.rhai` everywhere, as rhai-analyzer does.
  const rival = { name: "rival", publisher: "test", version: "1.0.0", engines: { vscode: "*" } };
  rival.contributes = { languages: [{ id: "rhai", extensions: [".rhai"] }] };
  await registerExtension(rival, ExtensionHostKind.LocalProcess).whenReady();
  // The program of the manifest is for node; here the page calls it.
  const ours = registerExtension({ ...manifest, main: undefined }, ExtensionHostKind.LocalProcess);
  for (const [path, text] of Object.entries(contributed)) {
    ours.registerFileUrl(path, `data:text/plain;base64,${btoa(unescape(encodeURIComponent(text)))}`);
  }
  await ours.setAsDefaultApi();
  // The page has no search; the extension searches for scenes alone.
  (await ours.getApi()).workspace.findFiles = async () => scenes;
  await extension.activate({ subscriptions: [] });
  Object.assign(window, { monaco, vscode, open, create, replace, editorOf: () => editor });
}

window.started = start();
