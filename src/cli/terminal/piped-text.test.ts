import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { words } from "../../../test/support/english.ts";
import { type PipedTextOptions, readPipedText } from "./piped-text.ts";

// How a real file, pipe or terminal is told from another is shown in test/program.test.ts.
function read(stdin: PassThrough, options: Partial<PipedTextOptions> = {}): Promise<string> {
  const signal = new AbortController().signal;
  return readPipedText({
    stdin,
    hasMessage: false,
    words,
    say: () => {},
    signal,
    patienceMs: 50,
    ...options,
  });
}

describe("readPipedText", () => {
  it("takes text to its end, in any chunks", async () => {
    const stdin = new PassThrough();
    const text = read(stdin);
    for (const byte of Buffer.from("\ufeff你好 🐈")) stdin.write(Buffer.of(byte));
    stdin.end();
    expect(await text).toBe("你好 🐈");
  });

  it("gives up a pipe that stays silent: quietly where there is a message, otherwise with a sentence", async () => {
    expect(await read(new PassThrough(), { hasMessage: true })).toBe("");
    await expect(read(new PassThrough())).rejects.toMatchObject({
      exitCode: 2,
      message: words.failure.silentPipe(0.05),
    });
  });

  it("waits longer on a machine that does not keep up, where the writer is late, too", async () => {
    const stdin = new PassThrough();
    const reading = read(stdin);
    for (let round = 0; round < 3; round += 1) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150);
      await setImmediate();
    }
    stdin.end("late");
    expect(await reading).toBe("late");
  });

  it("takes no half a text", async () => {
    const stdin = new PassThrough();
    stdin.write("half of it");
    await expect(read(stdin)).rejects.toMatchObject({
      exitCode: 1,
      message: words.failure.unfinishedPipe(0.05),
    });
  });

  it("refuses what is too long, and what is no text", async () => {
    const long = new PassThrough();
    long.end("x".repeat(3_000_000));
    await expect(read(long)).rejects.toMatchObject({ message: words.failure.longPipe(2) });
    const binary = new PassThrough();
    binary.end(Buffer.of(0xff, 0xfe, 0x00));
    await expect(read(binary)).rejects.toMatchObject({ message: words.failure.notText });
  });

  it("stops waiting when it is told to", async () => {
    const controller = new AbortController();
    const waiting = read(new PassThrough(), { signal: controller.signal, patienceMs: 60_000 });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});
