// A real server as a process of a test, on a port of loopback that was free a moment ago.
import { spawn } from "node:child_process";
import { createConnection, createServer } from "node:net";

export interface ServerProcess {
  stop(): Promise<void>;
}

/** `speaksFirst`: it is there when it has said something. */
export async function startServerProcess(
  [command = "", ...argv]: string[],
  { port, speaksFirst = false, cwd }: { port: number; speaksFirst?: boolean; cwd?: string },
): Promise<ServerProcess> {
  const child = spawn(command, argv, { stdio: "ignore", ...(cwd !== undefined && { cwd }) });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let isOver = false;
  void exited.then(() => {
    isOver = true;
  });
  while (!(await isOpen(port, speaksFirst))) {
    if (isOver) throw new Error(`${command} ended before it could be reached`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    async stop() {
      child.kill("SIGTERM");
      await exited;
    },
  };
}

function isOpen(port: number, speaksFirst: boolean): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: "127.0.0.1", port });
    socket.once(speaksFirst ? "data" : "connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
