// A line as it is typed, run in this process: the whole program but for its start and its end.
import { Readable, Writable } from "node:stream";
import { run } from "../../src/cli/main.ts";
import { createTerminal, type Terminal } from "../../src/cli/terminal/terminal.ts";
import type { Typed } from "./cli-shapes.ts";

/** As a script types it: nobody can be asked, and nothing comes in. */
export async function typeHere(argv: string[], env: NodeJS.ProcessEnv, columns?: number): Promise<Typed> {
  let text = "";
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const stderr = new Writable({ write: (_chunk, _encoding, done) => done() });
  const streams = { stdin: Readable.from([]), stdout: Object.assign(stdout, { columns }), stderr };
  const terminal: Terminal = {
    ...createTerminal({ env, ...streams } as unknown as NodeJS.Process),
    isStdinTerminal: false,
    isInteractive: false,
  };
  const code = await run(argv, { terminal, signal: new AbortController().signal });
  return { code, stdout: text };
}
