import { describe, expect, it } from "vitest";
import { words } from "../../../test/support/english.ts";
import { itSays } from "../../../test/support/wording.ts";
import { createWords, type Language } from "../../i18n/words.ts";
import { nanobot } from "../../lib/program-command.ts";
import { type CommandLine, parseCommandLine } from "./command-line.ts";

function parse(line: string, language: Language = "english"): CommandLine {
  const argv = line === "" ? [] : line.split(" ");
  return parseCommandLine(argv, { words: createWords(language), version: "1.2.3", columns: 100 });
}

describe("parseCommandLine", () => {
  it.each([
    ["", { command: "agent", options: {} }],
    ["agent", { command: "agent", options: {} }],
    ["agent -m hi", { command: "agent", options: { message: "hi" } }],
    [
      "-m hi --media a.png b.pdf --media c",
      { command: "agent", options: { message: "hi", media: ["a.png", "b.pdf", "c"] } },
    ],
    ["-m hi", { command: "agent", options: { message: "hi" } }],
    ["agent -m -x --json", { command: "agent", options: { message: "-x", json: true } }],
    ["agent --session a:b", { command: "agent", options: { session: "a:b" } }],
    ["--config f agent --verbose", { command: "agent", options: { config: "f", verbose: true } }],
    ["status --config f -w d", { command: "status", options: { config: "f", workspace: "d" } }],
    ["status --json", { command: "status", options: { json: true } }],
    ["context", { command: "context", options: {} }],
    ["context diff -s a:b", { command: "context", options: { what: "diff", session: "a:b" } }],
    ["context -m hi --raw", { command: "context", options: { message: "hi", raw: true } }],
    ["gateway", { command: "gateway", options: { action: "run" } }],
    ["gateway logs --tail 5", { command: "gateway", options: { action: "logs", tail: 5 } }],
    ["cron", { command: "cron", options: { action: "list" } }],
    ["cron remove ab12", { command: "cron", options: { action: "remove", id: "ab12" } }],
    ["cron add -m x --every 5m", { command: "cron", options: { action: "add", message: "x", every: "5m" } }],
    [
      "pairing revoke telegram 42",
      { command: "pairing", options: { action: "revoke", words: ["telegram", "42"] } },
    ],
    ["outbox retry all", { command: "outbox", options: { action: "retry", id: "all" } }],
    ["usage --by cause --csv", { command: "usage", options: { by: "cause", csv: true } }],
    ["onboard", { command: "onboard", options: { test: true } }],
    ["onboard --no-test -y", { command: "onboard", options: { test: false, yes: true } }],
    ["onboard --skip-bootstrap", { command: "onboard", options: { test: true, skipBootstrap: true } }],
    ["onboard --api-key-env K", { command: "onboard", options: { test: true, apiKeyEnv: "K" } }],
  ])("takes %j", (line, invocation) => {
    expect(parse(line)).toEqual({ kind: "run", invocation });
  });

  itSays.each([
    ["agnt", `There is no command "agnt". Did you mean "agent"?\nSee: ${nanobot} --help\n`],
    ["xyzzy", `There is no command "xyzzy".\nSee: ${nanobot} --help\n`],
    [
      "agent --mesage x",
      `There is no option --mesage. Did you mean --message?\nSee: ${nanobot} agent --help\n`,
    ],
    ["--verbse", `There is no option --verbse. Did you mean --verbose?\nSee: ${nanobot} --help\n`],
    ["status --jsn", `There is no option --jsn. Did you mean --json?\nSee: ${nanobot} status --help\n`],
    [
      "context dif",
      `There is no command "context dif". Did you mean "context diff"?\nSee: ${nanobot} context --help\n`,
    ],
    ["usage --by shoe", `--by <group> does not take "shoe".\nSee: ${nanobot} usage --help\n`],
    ["gateway -p x", `-p, --port <number> does not take "x".\nSee: ${nanobot} gateway --help\n`],
    ["help agnt", `There is no command "agnt". Did you mean "agent"?\nSee: ${nanobot} --help\n`],
    ["restore", `The command is incomplete: nanobot restore <file>\nSee: ${nanobot} restore --help\n`],
    ["agent -m", `-m, --message <text> needs a value.\nSee: ${nanobot} agent --help\n`],
    [
      "agent hello",
      `"hello" is one argument too many. Put your message in quotes after -m.\nSee: ${nanobot} agent --help\n`,
    ],
  ])("refuses %j and says what was meant", (line, text) => {
    expect(parse(line)).toEqual({ kind: "wrong", text });
  });

  it("says it in Chinese too", () => {
    expect(parse("agnt", "chinese")).toEqual({
      kind: "wrong",
      text: `没有“agnt”这个命令。你是不是想用“agent”？\n查看帮助：${nanobot} --help\n`,
    });
    const help = parse("--help", "chinese");
    expect(help.kind === "say" && help.text).toContain("命令：");
    const cron = parse("cron --help", "chinese");
    expect(cron.kind === "say" && cron.text).toMatch(
      /参数：\n +action +要做什么（默认：list）: list, add, remove/,
    );
    expect(cron.kind === "say" && cron.text).not.toMatch(/choices|default/);
  });

  it.each(["--help", "-h", "help", "agent --help", "onboard -h", "status --help", "help agent"])(
    "helps on %j",
    (line) => {
      const help = parse(line);
      expect(help.kind === "say" && help.text).toContain(`${words.usage.titles.usage} ${nanobot}`);
      expect(help.kind === "say" && help.text).toContain("--config <file>");
    },
  );

  it("tells the version", () => {
    expect(parse("--version")).toEqual({ kind: "say", text: "1.2.3\n" });
    expect(parse("-v")).toEqual({ kind: "say", text: "1.2.3\n" });
  });
});
