// What every built-in tool owes the runner and the model. A new tool adds a row to `calls`.
import { readdirSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { encode } from "gpt-tokenizer";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createDocx, paragraph } from "../../test/support/create-office.ts";
import { createPdf } from "../../test/support/create-pdf.ts";
import { createPng } from "../../test/support/images.ts";
import { runTool, runToolText } from "../../test/support/run-tool.ts";
import { createToolContext } from "../../test/support/tool-context.ts";
import { startWebSite, type WebSite } from "../../test/support/web-site.ts";
import { createWorkspace, type TestWorkspace } from "../../test/support/workspace.ts";
import { phrase } from "../i18n/phrase.ts";
import { untilAborted } from "../lib/abort.ts";
import { systemClock } from "../lib/clock.ts";
import { ToolRegistry } from "../runner/registry.ts";
import { type Tool, ToolError } from "../runner/tool.ts";
import type { Job } from "../storage/jobs/job.ts";
import { ProcessTable } from "./commands/process-table.ts";
import { type CronToolOptions, createCron } from "./cron.ts";
import { createGenerateImage, type MakeImages } from "./generate-image.ts";
import { createGoal, type GoalToolOptions } from "./goal.ts";
import { createTools, listToolNames, type ToolsOptions } from "./index.ts";
import { createMessage, type MessageOptions } from "./message.ts";
import { reservedNames } from "./own-tools.ts";
import { createSpawn, type Spawn } from "./spawn.ts";

type Args = Record<string, unknown>;

interface Calls {
  good: Args;
  /** Each is wrong in the named field. */
  wrong: Record<string, Args>;
  /** Refused by the world, in a sentence for the model. */
  refused: Args;
  /** Would say more than anyone can read. */
  flood: Args;
  /** Runs until it is stopped. */
  endless?: Args;
  /** What else it opens. */
  also?: Args[];
}

const calls: Record<string, Calls> = {
  read_file: {
    good: { path: "笔记.md" },
    wrong: { path: { path: null }, offset: { path: "a", offset: 0 }, limit: { path: "a", limit: "many" } },
    refused: { path: "/etc/passwd" },
    flood: { path: "flood.txt" },
    endless: { path: "flood.txt" },
    also: [{ path: "早.docx" }, { path: "早.pdf" }],
  },
  write_file: {
    good: { path: "new.md", content: "早" },
    wrong: { path: { path: null, content: "" }, content: { path: "a" } },
    refused: { path: ".git/config", content: "x" },
    flood: { path: "new.md", content: "x".repeat(100_000) },
  },
  edit_file: {
    good: { path: "笔记.md", old_text: "早", new_text: "晚" },
    wrong: {
      old_text: { path: "a", new_text: "" },
      occurrence: { path: "a", old_text: "", new_text: "", occurrence: 0 },
      replace_all: { path: "a", old_text: "", new_text: "", replace_all: "perhaps" },
    },
    refused: { path: "missing.md", old_text: "a", new_text: "b" },
    flood: { path: "flood.txt", old_text: "needle", new_text: "pin", replace_all: true },
  },
  notebook_edit: {
    good: { path: "早.ipynb", mode: "insert", source: "print('早')" },
    wrong: {
      path: { mode: "insert" },
      mode: { path: "a", mode: "jump" },
      cell_type: { path: "a", mode: "insert", cell_type: "poem" },
    },
    refused: { path: "missing.ipynb", mode: "delete", cell: "0" },
    flood: { path: "早.ipynb", mode: "insert", source: "needle\n".repeat(50_000) },
  },
  list_dir: {
    good: {},
    wrong: { recursive: { recursive: "deep" }, max_entries: { max_entries: 0 } },
    refused: { path: "../outside" },
    flood: { path: "many", max_entries: 99_999 },
    endless: { recursive: true },
  },
  glob: {
    good: { pattern: "*.md" },
    wrong: {
      pattern: {},
      entry_type: { pattern: "*", entry_type: "sockets" },
      offset: { pattern: "*", offset: -1 },
    },
    refused: { pattern: "*", path: "../outside" },
    flood: { pattern: "many/**", head_limit: 99_999 },
    endless: { pattern: "**" },
  },
  grep: {
    good: { pattern: "早" },
    wrong: {
      pattern: {},
      output_mode: { pattern: "x", output_mode: "poem" },
      context_before: { pattern: "x", context_before: 21 },
    },
    refused: { pattern: "(" },
    flood: { pattern: "needle", output_mode: "content", head_limit: 99_999 },
    endless: { pattern: "(needle|x)+y", path: "flood.txt" },
  },
  memory_search: {
    good: { query: "早" },
    wrong: {
      query: { query: "" },
      from: { query: "x", from: "yesterday" },
      count: { query: "x", count: 31 },
    },
    refused: { query: "nothing like it" },
    flood: { query: "everything", count: 30 },
  },
  memory_read: {
    good: { reference: "t1" },
    wrong: { reference: {}, around: { reference: "t1", around: 21 } },
    refused: { reference: "t2" },
    flood: { reference: "t1", around: 20 },
  },
  exec: {
    good: { command: "cat 笔记.md" },
    wrong: { command: { command: "" }, timeout: { command: "ls", timeout: 601 } },
    refused: { command: "ls", working_dir: "../outside" },
    flood: { command: "cat flood.txt flood.txt" },
    endless: { command: "sleep 300" },
  },
  process: {
    good: { action: "write", id: "p1", text: "早\n", wait_ms: 30_000 },
    wrong: { action: { action: "jump" }, wait_ms: { action: "list", wait_ms: -1 } },
    refused: { action: "read", id: "p2" },
    flood: { action: "write", id: "p1", text: "needle\n".repeat(10_000), wait_ms: 30_000 },
    endless: { action: "read", id: "p1", wait_ms: 30_000 },
  },
  message: {
    good: { content: "早", channel: "chat", chat_id: "早", media: ["笔记.md"] },
    wrong: { content: { content: null }, media: { content: "x", media: Array(11).fill("笔记.md") } },
    refused: { content: "x", channel: "nowhere", chat_id: "1" },
    flood: { content: "x".repeat(100_000) },
  },
  generate_image: {
    good: { prompt: "早", path: "早.png" },
    wrong: {
      prompt: { prompt: "", path: "a.png" },
      path: { prompt: "x", path: "a.md" },
      count: { prompt: "x", path: "a.png", count: 9 },
      aspect_ratio: { prompt: "x", path: "a.png", aspect_ratio: "wide" },
    },
    refused: { prompt: "refused", path: "a.png" },
    flood: { prompt: "x", path: `${"早".repeat(60)}.png`, count: 8 },
    endless: { prompt: "endless", path: "a.png" },
  },
  spawn: {
    good: { task: "早" },
    wrong: { task: { task: " " }, wait: { task: "x", wait: "perhaps" } },
    refused: { task: "too many" },
    flood: { task: "x".repeat(100_000) },
    endless: { task: "endless", wait: true },
  },
  web_fetch: {
    good: { url: "http://site.test/page" },
    wrong: {
      url: {},
      extractMode: { url: "http://site.test/page", extractMode: "poem" },
      offset: { url: "http://site.test/page", offset: -1 },
    },
    refused: { url: "file:///etc/passwd" },
    flood: { url: "http://site.test/flood" },
    endless: { url: "http://site.test/silent" },
  },
  web_search: {
    good: { query: "早" },
    wrong: { query: { query: "" }, count: { query: "x", count: 11 } },
    refused: { query: "x", timeRange: "lately" },
    flood: { query: "x", count: 10 },
    endless: { query: "silence" },
  },
  cron: {
    good: { action: "add", message: "早", every_seconds: 60 },
    wrong: { action: { action: "jump" }, every_seconds: { action: "add", every_seconds: "often" } },
    refused: { action: "add", message: "早" },
    flood: { action: "list" },
  },
  goal: {
    good: { steps: ["[>] 早"] },
    wrong: { end: { end: "soon" } },
    refused: { end: "stuck" },
    flood: { steps: Array(30).fill("早".repeat(5_000)) },
  },
};

const hit = { title: "早".repeat(5_000), url: "https://example.com/", content: "早".repeat(5_000) };
const pages: WebSite["pages"] = {
  "/page": "<p>早</p>",
  "/flood": { type: "text/plain", body: "needle needle needle\n".repeat(50_000) },
  "/silent": () => {},
  "/search": ({ url }, response) => {
    if (url?.includes("silence") !== true) response.end(JSON.stringify({ results: Array(50).fill(hit) }));
  },
};
let site: WebSite;

beforeAll(async () => {
  site = await startWebSite(pages);
});

afterAll(() => site.close());

const names = Object.keys(calls);
const row = (name: string): Calls => calls[name] ?? expect.fail(`no row for ${name}`);

/** With a command left running where the tool is for such. */
async function setUp(name?: string): Promise<TestWorkspace & { tools: ToolRegistry }> {
  const created = await createWorkspace({
    "笔记.md": "早\n",
    "flood.txt": "needle needle needle\n".repeat(50_000),
    "早.docx": createDocx(paragraph("早")),
    "早.pdf": createPdf("Morning"),
  });
  const web: ToolsOptions["web"] = {
    fetch: (url, request) => site.fetch(url.replace("http://site.test", site.url), request),
    provider: "searxng",
    baseUrl: site.url,
  };
  const processes = new ProcessTable(systemClock, { next: () => "1" });
  onTestFinished(() => processes.close());
  const message: MessageOptions = {
    canReach: ({ channel }) => channel !== "nowhere",
    publish: async () => {},
    folder: join(created.workspace, "../sent"),
  };
  const all = createTools({ roots: created.roots, exec: { processes }, memory, web });
  const more = [
    createMessage(created.roots, message),
    createSpawn(spawn),
    createCron(cron),
    createGoal(goal),
    createGenerateImage(created.roots, { make, show: async () => true }),
  ] as Tool[];
  const tools = new ToolRegistry([...all, ...more]);
  if (name === "process") await runTool(toolOf(tools, "exec"), { command: "head -n 1", yield_time_ms: 0 });
  return { ...created, tools };
}

const planned: Job[] = Array.from({ length: 500 }, (_, index) => ({
  id: `job${index}`,
  name: "早".repeat(5_000),
  enabled: true,
  schedule: { kind: "every", everyMs: 60_000 },
  message: "早".repeat(5_000),
  kind: "turn",
  misfire: "once",
  sessionKey: "cli:direct",
  channel: "cli",
  chatId: "direct",
  origin: {},
  runs: [],
  createdAtMs: 0,
  deleteAfterRun: false,
  raw: {},
}));
const cron: CronToolOptions = {
  timeZone: "UTC",
  canReach: () => true,
  open: async () => ({
    list: async () => planned,
    add: async ({ name = "" }) => ({ ...(planned[0] as Job), name }),
    remove: async () => planned[0] as Job,
  }),
};

const make: MakeImages = async ({ prompt, count }, { signal }) => {
  if (prompt === "refused") return { reason: phrase("images.no-host") };
  if (prompt === "endless") await untilAborted(new Promise(() => {}), signal);
  return { images: Array.from({ length: count }, () => createPng(4, 3)), model: "早" };
};

const goal: GoalToolOptions = {
  plan: async ({ steps = [], end }) => (end === "stuck" ? undefined : steps.map(({ text }) => text)),
};

const spawn: Spawn = async ({ task }, { signal }) => {
  if (task === "too many") throw new ToolError("No more may run at once. Wait for a result.");
  if (task === "endless") await untilAborted(new Promise(() => {}), signal);
  return { content: `Started: ${task}` };
};

const said = { reference: "t1", at: 0, who: "user", where: "cli:direct", text: "早".repeat(1_500) };
const memory: ToolsOptions["memory"] = {
  search: async ({ query, count = 8 }) => ({
    found: query.startsWith("nothing") ? [] : Array.from({ length: count }, () => said),
    sessions: ["cli:direct"],
  }),
  read: async (reference, { around }) =>
    reference === "t1" ? Array.from({ length: 2 * around + 1 }, () => said) : [],
};

function toolOf(tools: ToolRegistry, name: string): Tool {
  return tools.get(name) ?? expect.fail(`no tool ${name}`);
}

/** Every file with its content: what a read-only tool must not change. */
async function snapshot(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    await Promise.all(files.map(async (file) => [file, await readFile(file, "latin1")])),
  );
}

it("covers every tool", async () => {
  const { tools } = await setUp();
  expect(tools.names).toEqual([...names].sort());
  expect(reservedNames).toEqual(expect.arrayContaining(tools.names));
  const on = { enable: true };
  expect(listToolNames({ file: on, exec: on, web: on, imageGeneration: { enabled: true } }).sort()).toEqual(
    tools.names.sort(),
  );
});

it("costs the model fewer than 2,000 tokens for all definitions that are there by default", async () => {
  const { tools } = await setUp();
  const usual = tools.definitions().filter(({ name }) => name !== "generate_image");
  const wire = usual.map((definition) => ({ type: "function", function: definition }));
  expect(encode(JSON.stringify(wire)).length).toBeLessThan(2000);
});

it("leaves out what is switched off", async () => {
  const { roots } = await createWorkspace();
  expect(createTools({ roots, hasFiles: false, exec: {} }).map(({ name }) => name)).toEqual([
    "exec",
    "process",
  ]);
  expect(createTools({ roots }).map(({ name }) => name)).not.toContain("exec");
});

describe.each(names)("%s", (name) => {
  it("has a plain closed schema, with descriptions that say something", async () => {
    const { tools } = await setUp(name);
    const { description, parameters } = toolOf(tools, name);
    const { jsonSchema } = parameters;
    expect(description).toMatch(/\.$/);
    expect(jsonSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(Object.keys(jsonSchema)).not.toContain("$schema");
    const properties = Object.entries(
      jsonSchema.properties as Record<string, { type?: string; description?: string }>,
    );
    for (const [field, property] of properties) {
      if ("description" in property) expect(property.description, field).toMatch(/\S/);
      expect(property.type, field).toEqual(expect.any(String));
    }
  });

  it("names the field of a wrong argument", async () => {
    const { tools } = await setUp(name);
    for (const [field, args] of Object.entries(row(name).wrong)) {
      const parsed = toolOf(tools, name).parameters.parse(args);
      expect(parsed.ok, field).toBe(false);
      expect(parsed.ok ? "" : parsed.problems.join("; ")).toContain(field);
    }
  });

  it("does not stumble over arguments that it does not know", async () => {
    const { tools } = await setUp(name);
    const parsed = toolOf(tools, name).parameters.parse({ ...row(name).good, surprise: 1 });
    expect(parsed.ok && Object.keys(parsed.value as Args)).not.toContain("surprise");
    await runTool(toolOf(tools, name), { ...row(name).good, surprise: 1 });
  });

  it("does its work with text in Chinese", async () => {
    const { tools } = await setUp(name);
    expect(await runToolText(toolOf(tools, name), row(name).good)).toMatch(/早|md/);
  });

  it("refuses in a sentence that says what to do", async () => {
    const { tools } = await setUp(name);
    await expect(runTool(toolOf(tools, name), row(name).refused)).rejects.toMatchObject({
      name: "ToolError",
      message: expect.stringMatching(/[A-Z].*[.?]$/s),
    });
  });

  it("says no more than a model can read", async () => {
    const { tools, workspace } = await setUp(name);
    await mkdir(join(workspace, "many"));
    const files = Array.from({ length: 1500 }, (_, index) => join(workspace, `many/${index}`));
    if (JSON.stringify(row(name).flood).includes("many"))
      await Promise.all(files.map((file) => writeFile(file, "")));
    const text = await runToolText(toolOf(tools, name), row(name).flood);
    expect(text.length).toBeLessThanOrEqual(128_500);
  });

  it("changes nothing if it says so, and tells what it writes or runs if not", async () => {
    const { tools, workspace } = await setUp(name);
    const tool = toolOf(tools, name);
    const before = await snapshot(workspace);
    await runTool(tool, row(name).good);
    if (tool.readOnly === true) {
      expect(await snapshot(workspace)).toEqual(before);
      const effects = tool.effects?.(row(name).good) ?? [];
      expect(effects.filter(({ type }) => type !== "read" && type !== "fetch")).toEqual([]);
    } else {
      expect(tool.effects?.(row(name).good)).not.toEqual([]);
    }
  });

  it("ends with the turn", async () => {
    const { tools } = await setUp(name);
    const { endless } = row(name);
    if (endless === undefined) return;
    const controller = new AbortController();
    const reason = new Error("stop");
    const context = createToolContext({ signal: controller.signal });
    const call = runTool(toolOf(tools, name), endless, context);
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("settles also when the turn ended before it began, or ends while it is at work", async () => {
    const { tools } = await setUp(name);
    const { endless, good } = row(name);
    const reason = new Error("stop");
    const over = createToolContext({ signal: AbortSignal.abort(reason) });
    const early = await runTool(toolOf(tools, name), endless ?? good, over).catch((error) => error);
    if (endless !== undefined) expect(early).toBe(reason);
    const controller = new AbortController();
    const context = createToolContext({ signal: controller.signal });
    const call = runTool(toolOf(tools, name), endless ?? good, context).catch((error) => error);
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    const outcome = await call;
    if (outcome instanceof Error && outcome.name !== "ToolError") expect(outcome).toBe(reason);
  });

  it("costs no more than its share of the prompt", async () => {
    const { tools } = await setUp(name);
    const definition = tools.definitions().find((one) => one.name === name);
    expect(encode(JSON.stringify(definition)).length).toBeLessThan(230);
  });

  it.runIf(process.platform === "linux")(
    "leaves nothing open: no file, process, thread or socket",
    async () => {
      const { tools } = await setUp(name);
      const { good, refused, endless, also = [] } = row(name);
      const before = countOpen();
      for (let round = 0; round < 3; round++) {
        await runTool(toolOf(tools, name), name === "edit_file" && round > 0 ? refused : good).catch(
          () => {},
        );
        for (const args of [refused, ...also]) await runTool(toolOf(tools, name), args).catch(() => {});
        const controller = new AbortController();
        const call = runTool(
          toolOf(tools, name),
          endless ?? refused,
          createToolContext({ signal: controller.signal }),
        );
        controller.abort(new Error("stop"));
        await call.catch(() => {});
      }
      await expect.poll(countOpen).toBeLessThanOrEqual(before);
    },
  );
});

/** Threads have no file; what they and other handles are called is Node's business, timers are everyone's. */
function countOpen(): number {
  const handles = process.getActiveResourcesInfo().filter((name) => !/^(?:Timeout|Immediate)$/.test(name));
  return readdirSync("/proc/self/fd").length + handles.length;
}
