import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { createWords } from "../../i18n/words.ts";
import { noUsage } from "../../lib/usage.ts";
import { createStyle } from "../draw/style.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { answerOnce } from "./answer-once.ts";

/** A reader that takes one piece after the other: what came, and the most that waited for it at once. */
function createSlowReader() {
  const seen = { text: "", mostWaiting: 0 };
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      seen.mostWaiting = Math.max(seen.mostWaiting, this.writableLength);
      seen.text += chunk.toString("latin1");
      setImmediate(done);
    },
  });
  return { stream: stream as unknown as Terminal["stdout"], seen };
}

function createTerminal(stdout: Terminal["stdout"], stderr: Terminal["stderr"] = process.stderr): Terminal {
  const style = createStyle(false);
  const { stdin } = process;
  const words = createWords("english");
  const flags = { isStdinTerminal: false, isInteractive: false, canDraw: false };
  return { stdin, stdout, stderr, env: {}, words, style, sideStyle: style, ...flags };
}

it.each([{ isJson: false }, { isJson: true }])(
  "a long answer waits in pieces for a slow reader ($isJson)",
  async ({ isJson }) => {
    const text = "A long story. ".repeat(150_000);
    const { stream, seen } = createSlowReader();
    const asked = { given: { text: "hi" }, sessionKey: "cli:direct", canDraw: false, hintLength: 40, isJson };
    const context = { terminal: createTerminal(stream), signal: new AbortController().signal };
    const code = await answerOnce({ ...asked, ...context }, async () => ({
      ...{ sessionKey: "cli:direct", turnId: "t", kind: "answer", inboundIds: ["t"] },
      ...{ text, stop: "completed", tools: [], usage: noUsage },
    }));
    expect(code).toBe(0);
    await new Promise<void>((resolve) => stream.end(() => resolve()));
    expect(isJson ? JSON.parse(seen.text) : seen.text).toEqual(
      isJson ? expect.objectContaining({ text }) : `${text}\n`,
    );
    expect(seen.mostWaiting).toBeLessThanOrEqual(64 * 1024);
  },
);

it("a change that lasts is told next to the answer, with its difference", async () => {
  const [out, side] = [createSlowReader(), createSlowReader()];
  const asked = {
    given: { text: "hi" },
    sessionKey: "cli:direct",
    canDraw: false,
    hintLength: 40,
    isJson: false,
  };
  const terminal = createTerminal(out.stream, side.stream as unknown as Terminal["stderr"]);
  await answerOnce({ ...asked, terminal, signal: new AbortController().signal }, async () => ({
    ...{ sessionKey: "cli:direct", turnId: "t", kind: "answer", inboundIds: ["t"] },
    ...{ text: "Noted.", stop: "completed", tools: [], usage: noUsage },
    lasting: [{ path: "memory/MEMORY.md", diff: "+Likes tea\u001b[2J\n" }],
  }));
  for (const { stream } of [out, side]) await new Promise<void>((resolve) => stream.end(() => resolve()));
  expect(out.seen.text).toBe("Noted.\n");
  expect(side.seen.text).toContain("memory/MEMORY.md");
  expect(side.seen.text).toContain("+Likes tea");
  expect(side.seen.text).not.toContain("\u001b");
});
