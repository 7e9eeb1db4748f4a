import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createPng } from "../../../test/support/images.ts";
import { runTool, runToolText } from "../../../test/support/run-tool.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createToolContext, owner } from "../../../test/support/tool-context.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import { defineTool } from "../../runner/define-tool.ts";
import type { Tool, ToolResult } from "../../runner/tool.ts";
import { ResultStore } from "../../storage/blobs/result-store.ts";
import { createReadFile } from "../../tools/files/read-file.ts";
import { createFileRoots } from "../files/file-roots.ts";
import { readImageSides } from "../image-store.ts";
import { type OffloadOptions, withOffload } from "./with-offload.ts";

const png = createPng(2, 1);

function createTool(result: ToolResult, flags: Partial<Tool> = {}): Tool {
  const tool = defineTool({
    name: "talker",
    description: "Says something.",
    parameters: z.object({}),
    execute: async () => result,
  });
  return { ...tool, ...flags };
}

function openResults(toolResults: string, clock: Clock = systemClock): ResultStore {
  return new ResultStore({ paths: { toolResults }, clock, log: silentLog });
}

async function setUp({ clock, ...options }: Partial<OffloadOptions> & { clock?: Clock } = {}) {
  const home = await createTemporaryFolder();
  const store = openResults(join(home, "tool-results"), clock);
  const wrap = withOffload({ results: store, mediaFolder: join(home, "media"), ...options });
  const results = join(home, "tool-results/owner");
  const text = (content: string) => runToolText(wrap(createTool({ content })), {});
  return { home, results, wrap, text };
}

function pathIn(text: string): string {
  return /All of it is in (.+?): read on/.exec(text)?.[1] ?? "";
}

describe("a long text", () => {
  it("becomes its beginning, its end and the way to all of it", async () => {
    const { text, results } = await setUp();
    const full = Array.from({ length: 5000 }, (_, index) => `行 ${index + 1}`).join("\n");
    const shown = await text(full);
    expect(shown.length).toBeLessThan(7000);
    expect(shown).toMatch(/^行 1\n行 2\n/);
    expect(shown).toMatch(
      new RegExp(
        `行 5000\n\\(This is the beginning and the end of ${full.length} characters in 5000 lines\\.`,
      ),
    );
    const path = pathIn(shown);
    expect(path.startsWith(results)).toBe(true);
    expect(path).toMatch(/turn\.1\.1\.txt$/);
    expect(await readFile(path, "utf8")).toBe(full);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    expect((await stat(results)).mode & 0o777).toBe(0o700);
  });

  it("can be read on exactly where the beginning ends, and is not offloaded again", async () => {
    const { text, wrap, results, home } = await setUp();
    const full = Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`).join("\n");
    const shown = await text(full);
    const offset = Number(/offset=(\d+)/.exec(shown)?.[1]);
    const beginning = shown.slice(0, shown.indexOf("\n...\n")).split("\n");
    expect(beginning.at(-1)).toBe(`line ${offset - 1}`);
    const roots = createFileRoots({
      workspaceFor: () => join(home, "ws"),
      readRoots: [results],
      isRestricted: true,
    });
    const rest = await runToolText(wrap(createReadFile(roots)), { path: pathIn(shown), offset });
    expect(rest).toMatch(new RegExp(`^${offset}\\| line ${offset}\n`));
    expect(rest.length).toBeGreaterThan(16_000);
    await expect(roots.writeInside(pathIn(shown), "x", owner)).rejects.toThrow(/outside/);
  });

  it("is left alone at the limit and from a tool that bounds itself", async () => {
    const { text, wrap, results } = await setUp({ limit: 100 });
    expect(await text("x".repeat(100))).toBe("x".repeat(100));
    const bounded = wrap(createTool({ content: "x".repeat(5000) }, { boundsItself: true }));
    expect(await runToolText(bounded, {})).toBe("x".repeat(5000));
    await expect(readdir(results)).rejects.toThrow(/ENOENT/);
  });

  it("keeps its labels and its error flag, and is well formed", async () => {
    const { wrap } = await setUp({ limit: 100 });
    const tool = wrap(createTool({ content: `${"x".repeat(500)}\ud800`, isError: true, labels: ["web"] }));
    const result = await runTool(tool, {});
    expect(result).toMatchObject({ isError: true, labels: ["web"] });
    expect(await readFile(pathIn(String(result.content)), "utf8")).toBe(`${"x".repeat(500)}\ufffd`);
  });

  it("goes to a folder of its session that no other name can reach", async () => {
    const { wrap, results } = await setUp({ limit: 10 });
    const tool = wrap(createTool({ content: "x".repeat(50) }));
    for (const sessionKey of ["../../etc", "cli:direct", "cli_direct", "微信:群", "..", "a".repeat(300)]) {
      await runTool(tool, {}, createToolContext({ sessionKey, callId: "../up" }));
    }
    const buckets = await readdir(results);
    expect(buckets).toHaveLength(6);
    for (const bucket of buckets) expect(await readdir(join(results, bucket))).toHaveLength(1);
  });

  it("is cut with a mark when it cannot be stored", async () => {
    const { home } = await setUp();
    await writeFile(join(home, "file"), "");
    const warnings: string[] = [];
    const log = { debug() {}, info() {}, error() {}, warn: (event: string) => warnings.push(event) };
    const wrap = withOffload({
      results: openResults(join(home, "file/x")),
      mediaFolder: join(home, "file/m"),
      limit: 100,
      log,
    });
    expect(await runToolText(wrap(createTool({ content: "y".repeat(500) })), {})).toMatch(
      /^y{50}\n\.\.\. \(400 characters left out\) \.\.\.\ny{50}$/,
    );
    const image = {
      type: "image_url" as const,
      image_url: { url: `data:image/png;base64,${png.toString("base64")}` },
    };
    expect(await runToolText(wrap(createTool({ content: [image] })), {})).toBe(
      "(An image was left out: it could not be stored, ENOTDIR.)",
    );
    expect(warnings).toEqual(["tool-result-not-stored", "image-not-stored"]);
  });
});

describe("parts", () => {
  const image = {
    type: "image_url" as const,
    image_url: { url: `data:image/png;base64,${png.toString("base64")}`, detail: "low" },
  };

  it("have their images stored by content, once", async () => {
    const { wrap, home } = await setUp();
    const tool = wrap(
      createTool({ content: [{ type: "text", text: "a" }, image, image] }, { boundsItself: true }),
    );
    const { content } = await runTool(tool, {});
    expect(content).toHaveLength(3);
    const part = content[1] as typeof image;
    expect(part.image_url.detail).toBe("low");
    const path = fileURLToPath(part.image_url.url);
    expect(path).toMatch(new RegExp(`^${home}/media/[0-9a-f]{64}\\.png$`));
    expect(await readFile(path)).toEqual(png);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(join(home, "media"))).toHaveLength(1);
  });

  it("have images scaled to what the model's host takes, and a word for those that are none", async () => {
    const { wrap } = await setUp({ imageLimits: { bytes: 100_000, side: 10 } });
    const wide = `data:image/png;base64,${createPng(40, 20).toString("base64")}`;
    const broken = { type: "image_url" as const, image_url: { url: "data:image/png;base64,AAAA" } };
    const content = [{ type: "image_url" as const, image_url: { url: wide } }, broken];
    const result = await runTool(wrap(createTool({ content })), {});
    const [scaled, note] = result.content as [typeof broken, unknown];
    expect(readImageSides(await readFile(fileURLToPath(scaled.image_url.url)))).toEqual({
      width: 10,
      height: 5,
    });
    expect(note).toEqual({ type: "text", text: "(An image was left out: it is a broken image.)" });
  });

  it("keep images that have an address already", async () => {
    const { wrap } = await setUp();
    const remote = { type: "image_url" as const, image_url: { url: "https://a.example/x.png" } };
    const { content } = await runTool(wrap(createTool({ content: [remote] })), {});
    expect(content).toEqual([remote]);
  });

  it("have their texts offloaded together", async () => {
    const { wrap } = await setUp({ limit: 100 });
    const content = [
      { type: "text" as const, text: "a".repeat(80) },
      image,
      { type: "text" as const, text: "b".repeat(80) },
    ];
    const result = await runTool(wrap(createTool({ content })), {});
    expect(result.content).toHaveLength(2);
    const [text] = result.content as Array<{ text: string }>;
    expect(await readFile(pathIn(text?.text ?? ""), "utf8")).toBe(`${"a".repeat(80)}\n${"b".repeat(80)}`);
  });
});

it("says that a tool said nothing", async () => {
  const { text, wrap } = await setUp();
  expect(await text("")).toBe("(talker completed with no output)");
  expect(await text(" \n")).toBe("(talker completed with no output)");
  expect(await runToolText(wrap(createTool({ content: [] })), {})).toBe("(talker completed with no output)");
});

describe("stored results", () => {
  async function fill(results: string, bucket: string, at: number): Promise<void> {
    await mkdir(join(results, bucket), { recursive: true });
    await writeFile(join(results, bucket, "old.txt"), "x");
    await utimes(join(results, bucket, "old.txt"), at / 1000, at / 1000);
  }

  it("go after a week", async () => {
    const { results, text } = await setUp({ limit: 10 });
    const day = 24 * 60 * 60 * 1000;
    await fill(results, "ancient", systemClock.now() - 8 * day);
    await fill(results, "recent", systemClock.now() - 6 * day);
    await writeFile(join(results, "stray"), "");
    await text("x".repeat(50));
    expect(await readdir(results)).not.toContain("ancient");
    expect(await readdir(results)).toContain("recent");
  });

  it("go when there are more than 32 sessions, the longest unused first", async () => {
    const { results, text } = await setUp({ limit: 10 });
    for (let index = 0; index < 40; index++)
      await fill(results, `s${index}`, systemClock.now() - (index + 1) * 60_000);
    await text("x".repeat(50));
    expect(await readdir(results)).toHaveLength(32);
    const left = await readdir(results);
    expect(left).toContain("s30");
    expect(left).not.toContain("s31");
    expect(left.some((name) => name.startsWith("cli_direct"))).toBe(true);
  });

  it("are looked through at most once an hour", async () => {
    const clock = createFakeClock(systemClock.now());
    const { results, text } = await setUp({ limit: 10, clock });
    await text("x".repeat(50));
    const before = await readdir(results);
    await fill(results, "ancient", 0);
    await text("y".repeat(50));
    expect((await readdir(results)).sort()).toEqual([...before, "ancient"].sort());
    await clock.advance(60 * 60 * 1000);
    await text("z".repeat(50));
    expect(await readdir(results)).not.toContain("ancient");
  });
});
