// Runs inside of a sandbox that has no network: starts a command, and carries what it sends to a port of this machine on
// to the socket of the proxy outside. A program of its own; imports nothing of ours.
import { spawn } from "node:child_process";
import { connect, createServer } from "node:net";
import { constants } from "node:os";

const [socket = "", port = "", program = "", ...args] = process.argv.slice(2);

const server = createServer((client) => {
  const proxy = connect(socket);
  client.pipe(proxy).pipe(client);
  client.on("error", () => proxy.destroy());
  proxy.on("error", () => client.destroy());
});

server.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(program, args, { stdio: "inherit" });
  child.on("exit", (code, signal) =>
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
  );
});
