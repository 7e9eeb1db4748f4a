import { execFileSync } from "node:child_process";
import { appendFile, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { PromptFiles } from "./layer.ts";
import { createRecentHistoryLayer } from "./memory.ts";

let root: string;
let path: string;
beforeEach(async () => {
  root = await createTemporaryFolder({ "memory/.dream_cursor": "2" });
  path = join(root, "memory/history.jsonl");
});

const layer = createRecentHistoryLayer(new PromptFiles());
const budget = { characters: 150_000, tokens: 50_000 };
const render = async () => (await layer.render({ personRoot: root, workspace: root, budget }))?.text;
const entry = (cursor: number, content: string) =>
  `${JSON.stringify({ cursor, timestamp: "2026-11-14 10:00", content })}\n`;

describe("recent history", () => {
  it("is what Dream has not processed yet, torn and foreign lines passed over", async () => {
    await writeFile(
      path,
      `nt":"torn"}\n${entry(2, "Processed.")}null\n[1]\n${entry(3, "Fresh.\nIn one line.")}{"cur`,
    );
    expect(await render()).toBe("# Recent History\n\n- [2026-11-14 10:00] Fresh. In one line.");
    await appendFile(path, `\n${entry(4, "刚刚")}`);
    expect(await render()).toMatch(/Fresh[^\n]*\n- \[2026-11-14 10:00\] 刚刚$/);
  });

  it("leaves out what was forgotten", async () => {
    await writeFile(path, `${entry(3, "A secret.")}${entry(4, "A day.")}{"forgotten":[3]}\n`);
    expect(await render()).toBe("# Recent History\n\n- [2026-11-14 10:00] A day.");
  });

  it("keeps the newest where there is much", async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => entry(index, `${index} ${"字".repeat(200)}`));
    await writeFile(path, lines.join(""));
    const text = (await render()) ?? "";
    expect(estimateTokens(text)).toBeLessThan(2_100);
    expect(text).toContain("] 4999 ");
  });

  it("is left out where there is none, or something else in its place", async () => {
    expect(await render()).toBeUndefined();
    execFileSync("mkfifo", [path]);
    expect(await render()).toBeUndefined();
    await rm(path);
    await mkdir(path);
    expect(await render()).toBeUndefined();
    await rm(join(root, "memory"), { recursive: true });
    await writeFile(join(root, "memory"), "a file");
    expect(await render()).toBeUndefined();
  });
});
