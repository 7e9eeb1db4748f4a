import { describe, expect, it } from "vitest";
import { createWords } from "../i18n/words.ts";
import { parseCommand } from "./commands.ts";

const words = createWords("english");

describe("a slash command", () => {
  it.each(["/stop", "/STOP", " /stop ", "/stop@my_bot"])("is understood as %j", (text) => {
    expect(parseCommand(text)).toMatchObject({ kind: "command", command: { name: "stop", when: "now" } });
  });

  it.each(["hello", "/etc/hosts", "/home/me/notes.md is broken", "/", "//", "1/2", "a /stop", "/中文"])(
    "is not seen in %j",
    (text) => expect(parseCommand(text)).toBeUndefined(),
  );

  it("that is misspelt gets the nearest one", () => {
    const parsed = parseCommand("/stpo");
    expect(parsed?.kind === "unknown" && parsed.reply(words)).toBe(
      'There is no command "/stpo". Did you mean "/stop"?',
    );
  });

  it("that is unlike any gets a pointer to the list", () => {
    const parsed = parseCommand("/frobnicate");
    expect(parsed?.kind === "unknown" && parsed.reply(words)).toContain("/help");
  });

  it("with arguments that it does not take says so", () => {
    const parsed = parseCommand("/new please");
    expect(parsed?.kind === "unknown" && parsed.reply(words)).toContain('"/new" takes no arguments');
  });
});
