import { describe, expect, it } from "vitest";
import { createWords } from "../i18n/words.ts";
import { type Command, parseCommand } from "./commands.ts";

const words = createWords("english");
const commands: Command[] = ["new", "stop"].map((name) => ({ name, when: "now", run: async () => name }));

describe("a slash command", () => {
  it.each(["/stop", "/STOP", " /stop ", "/stop@my_bot"])("is understood as %j", (text) => {
    expect(parseCommand(text, commands)).toMatchObject({
      kind: "command",
      command: { name: "stop", when: "now" },
    });
  });

  it.each(["hello", "/etc/hosts", "/home/me/notes.md is broken", "/", "//", "1/2", "a /stop", "/中文"])(
    "is not seen in %j",
    (text) => expect(parseCommand(text, commands)).toBeUndefined(),
  );

  it("that is misspelt gets the nearest one", () => {
    const parsed = parseCommand("/stpo", commands);
    expect(parsed?.kind === "unknown" && parsed.reply(words)).toBe(
      words.reply.unknownCommand("/stpo", "/stop"),
    );
  });

  it("that is unlike any gets a pointer to the list", () => {
    const parsed = parseCommand("/frobnicate", commands);
    expect(parsed?.kind === "unknown" && parsed.reply(words)).toBe(words.reply.unknownCommand("/frobnicate"));
  });

  it("with arguments that it does not take says so", () => {
    const parsed = parseCommand("/new please", commands);
    expect(parsed?.kind === "unknown" && parsed.reply(words)).toContain(words.reply.takesNoArguments("/new"));
  });
});
