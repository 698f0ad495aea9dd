// Starts `mpfc lsp` for texts in the language .mpf.
const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = function () {
  const command = workspace.getConfiguration("mpf").get("mpfc", "mpfc");
  client = new LanguageClient(
    "mpf",
    "mpfc lsp",
    { command, args: ["lsp"] },
    {
      documentSelector: [{ language: "mpf" }],
      // Files that models name: their changes may make new errors.
      synchronize: {
        fileEvents: workspace.createFileSystemWatcher("**/*.{mpf,uai,bif,xml,net,csv,npy,npz,json}"),
      },
    },
  );
  return client.start();
};

exports.deactivate = () => client && client.stop();
