// Dream, from `/dream` to the files: what it keeps, what it leaves, and what nothing can make it do.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { addHistory, addLine, createDreamApp, edit, memory } from "./support/dream-app.ts";
import { closeTestApps } from "./support/test-app.ts";

afterEach(closeTestApps);

describe("a Dream that finds something", () => {
  it("edits the file, moves the cursor, and tells what changed", async () => {
    const app = await createDreamApp(
      ["[MEMORY] The cat is called Luna (#1)", addLine(memory, "## Important Notes", "- The cat is called Luna"), "done"],
    );
    const told = await app.dream();
    expect(told).toMatch(/^Went through 1 entry of the history and changed:\n- memory\/MEMORY\.md: 1 added, 0 removed\n\nVersion [0-9a-f]{8}; \/dream-restore/);
    expect(await app.file(memory)).toContain("## Important Notes\n- The cat is called Luna");
    expect(await app.cursor()).toBe(1);
    expect(await readdir(join(app.home, "run/dream"))).toEqual([]);
    expect(app.provider.requests.map(({ attribution }) => attribution.cause)).toEqual(["dream", "dream", "dream"]);
  });
});
