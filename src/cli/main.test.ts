import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { watchInterrupts } from "./main.ts";

function createScene() {
  let now = 0;
  const codes: number[] = [];
  const program = new EventEmitter();
  const signal = watchInterrupts(program as unknown as NodeJS.Process, {
    sentence: "Stopped.",
    onSecond: (code) => codes.push(code),
    elapsed: () => now,
  });
  const send = (name: string, at: number) => {
    now = at;
    program.emit(name);
  };
  return { signal, codes, send };
}

it("asks the command to end at the first signal, and ends the process at the second", () => {
  const { signal, codes, send } = createScene();
  send("SIGTERM", 100);
  expect(signal.aborted).toBe(true);
  expect(codes).toEqual([]);
  send("SIGINT", 700);
  expect(codes).toEqual([130]);
});

it("takes what arrives within half a second for a copy of the first, as npm start makes one of a Ctrl-C", () => {
  const { codes, send } = createScene();
  for (const at of [100, 110, 400]) send("SIGINT", at);
  expect(codes).toEqual([]);
  send("SIGINT", 650);
  expect(codes).toEqual([130]);
});
