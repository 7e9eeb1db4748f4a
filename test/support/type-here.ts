// A line as it is typed, run in this process: the whole program but for its start and its end, which tests of processes look
// at. It takes a tenth of what a process takes.
import { Readable, Writable } from "node:stream";
import { run } from "../../src/cli/main.ts";
import { createTerminal, type Terminal } from "../../src/cli/terminal/terminal.ts";
import type { Ended } from "./start-program.ts";

export interface Typing {
  /** Of the terminal. */
  columns?: number;
  /** What comes in by a pipe. */
  input?: string;
}

/** As a script types it: nobody can be asked. */
export async function typeHere(
  argv: string[],
  env: NodeJS.ProcessEnv,
  { columns, input }: Typing = {},
): Promise<Ended> {
  const told = { stdout: "", stderr: "" };
  const collect = (stream: keyof typeof told) =>
    new Writable({
      write(chunk, _encoding, done) {
        told[stream] += chunk;
        done();
      },
    });
  const stdin = Readable.from(input === undefined ? [] : [Buffer.from(input)]);
  const stdout = Object.assign(collect("stdout"), { columns });
  const streams = { stdin, stdout, stderr: collect("stderr") };
  const terminal: Terminal = {
    ...createTerminal({ env, ...streams } as unknown as NodeJS.Process),
    isStdinTerminal: false,
    isInteractive: false,
  };
  const code = await run(argv, { terminal, signal: new AbortController().signal });
  return { code, signal: null, ...told };
}
