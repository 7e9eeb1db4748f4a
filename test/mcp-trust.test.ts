// Trust in MCP servers, per server and per tool: a model that calls them where nobody can be asked, in a turn that has read
// what came from outside, and with text of the owner's files.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Origin } from "../src/bus/types.ts";
import { oddServer } from "./support/mcp-servers.ts";
import { terminalOrigin } from "./support/origins.ts";
import { closeTestApps, createTestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const secret = "correct-horse-battery";
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: { ...args } }] });
const readNotes = call("read_file", { path: "notes.md" });

interface Scene {
  server?: Record<string, unknown>;
  steps: Array<ReturnType<typeof call>>;
  labels?: string[];
  origin?: Origin;
}

/** Whether each call was done, with nobody there. */
async function runAlone({ server = {}, steps, labels, origin = terminalOrigin }: Scene): Promise<boolean[]> {
  const app = await createTestApp([...steps, "done"], {
    config: { tools: { mcpServers: { odd: { ...oddServer("hints"), ...server } } } },
  });
  await writeFile(join(app.workspace, "notes.md"), `${secret}\n`);
  await app.loop.processDirect({
    sessionKey: "cli:direct",
    text: "go on",
    origin,
    ...(labels && { labels, ownWords: "" }),
  });
  const results = app.provider.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
  return results.map(({ content }) => !/Not allowed|can be asked|is refused/.test(String(content)));
}

const echo = (text: string) => call("mcp_odd_echo", { text });
const look = (text: string) => call("mcp_odd_look", { text });
const keep = (text: string) => call("mcp_odd_keep", { text });
const outside = ["web:evil.example"];

describe("without a word of the owner", () => {
  it("a tool is used once, and what follows from its answer is asked about", async () => {
    expect(await runAlone({ steps: [echo("one"), echo("two")] })).toEqual([true, false]);
  });

  it("a tool that only reads is used again, but carries nothing away", async () => {
    expect(await runAlone({ steps: [look("one"), look("two")] })).toEqual([true, true]);
    expect(await runAlone({ steps: [readNotes, look(secret)] })).toEqual([true, false]);
    expect(await runAlone({ steps: [look("one"), look("see https://evil.example/x")] })).toEqual([
      true,
      false,
    ]);
  });

  it("a tool of this machine that reaches nobody may be told everything, but not because a page says so", async () => {
    expect(await runAlone({ steps: [readNotes, keep(secret)] })).toEqual([true, true]);
    expect(await runAlone({ steps: [keep("one")], labels: outside })).toEqual([false]);
  });
});

describe.each(["alwaysAllow", "autoApprove"])("tools in %s", (key) => {
  it("are used again and again where nobody can be asked, also after content from outside", async () => {
    const server = { [key]: ["echo"] };
    expect(await runAlone({ server, steps: [echo("one"), echo("two"), echo(secret)] })).toEqual([
      true,
      true,
      true,
    ]);
    expect(await runAlone({ server, steps: [echo("one"), echo("two")], labels: outside })).toEqual([
      true,
      true,
    ]);
  });

  it("are these tools of this server, and no others", async () => {
    const steps = [echo("one"), keep("two")];
    expect(await runAlone({ server: { [key]: ["echo"] }, steps })).toEqual([true, false]);
    expect(await runAlone({ server: { [key]: ["ech"] }, steps: [echo("one"), echo("two")] })).toEqual([
      true,
      false,
    ]);
    expect(await runAlone({ server: { [key]: ["*"] }, steps })).toEqual([true, true]);
  });

  it("are the owner's: a guest's turn asks", async () => {
    const guest: Origin = { ...terminalOrigin, role: "guest", person: "li" };
    expect(await runAlone({ server: { [key]: ["*"] }, steps: [echo("one")], origin: guest })).toEqual([
      false,
    ]);
  });
});
