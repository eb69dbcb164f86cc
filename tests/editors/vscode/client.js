// The language client of the extension in a browser: the arguments of `vscode-languageclient/node`, but the server is
// at the other end of a socket.

import { LanguageClient as BrowserClient } from "vscode-languageclient/browser.js";
import { WebSocketMessageReader, WebSocketMessageWriter, toSocket } from "vscode-ws-jsonrpc";

export class LanguageClient extends BrowserClient {
  constructor(id, name, server, options) {
    const open = new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${location.host}/?${new URLSearchParams(server)}`);
      socket.onopen = () => resolve(toSocket(socket));
      socket.onerror = reject;
    });
    super(id, name, options, open);
    this.createMessageTransports = async () => {
      const socket = await open;
      return { reader: new WebSocketMessageReader(socket), writer: new WebSocketMessageWriter(socket) };
    };
  }
}
