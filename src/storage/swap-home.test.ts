import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { RecordingDurability, readKept, readTables } from "../../test/support/recording-durability.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { StateDatabase } from "./database/state-database.ts";
import { serveHome } from "./served-homes.ts";
import { finishSwap, swapHome } from "./swap-home.ts";

async function setUp() {
  const folder = await createTemporaryFolder({
    "home/config.json": "old",
    "home/workspace/a.md": "old",
    "home/run/lock.json": "",
  });
  const home = join(folder, "home");
  const [fresh, aside] = [`${home}.restored-1`, `${home}.before-1`];
  const unpack = async () => {
    await mkdir(join(fresh, "workspace"), { recursive: true });
    await writeFile(join(fresh, "config.json"), "new");
    await writeFile(join(fresh, "workspace", "b.md"), "new");
  };
  const looks = async () => ({
    home: (await readdir(home)).sort(),
    config: await readFile(join(home, "config.json"), "utf8"),
    beside: (await readdir(folder)).sort(),
    journal: (await readdir(join(home, "run"))).filter((name) => name.startsWith("restore")),
  });
  const journal = (phase: string) =>
    writeFile(join(home, "run", "restore.json"), JSON.stringify({ phase, fresh, aside }));
  return { folder, home, fresh, aside, unpack, looks, journal };
}

const swapped = {
  home: ["config.json", "run", "workspace"],
  config: "new",
  beside: ["home", "home.before-1"],
  journal: [],
};

describe("a home that is replaced", () => {
  it("has the new content, and the old one is next to it", async () => {
    const { home, fresh, aside, unpack, looks } = await setUp();
    await swapHome({ home, fresh, aside }, unpack);
    expect(await looks()).toEqual(swapped);
    expect(await readFile(join(aside, "workspace", "a.md"), "utf8")).toBe("old");
  });

  it("is the old one or the new one where it is kept elsewhere, with its database, and nothing between", async () => {
    const { folder, home, fresh, aside, unpack } = await setUp();
    const write = async (path: string, name: string) => {
      const state = await StateDatabase.open({ path: join(path, "state.db") });
      await state.write(() => state.run("INSERT INTO draft VALUES (?, ?)", name, name));
      state.close();
    };
    await write(home, "old");
    const engine = new RecordingDurability(home, join(folder, "copy"));
    onTestFinished(serveHome(home, engine));
    const seen: unknown[] = [];
    engine.onCommitted = () => void seen.push(readKept(join(folder, "copy")));
    await swapHome({ home, fresh, aside }, async () => {
      await unpack();
      await write(fresh, "new");
    });
    const whole = { "config.json": "new", "workspace/b.md": "new" };
    expect(seen).toEqual([whole]);
    expect(readTables(join(folder, "copy")).draft).toEqual([{ turn_id: "new", platform_id: "new" }]);
  });

  it("stays as it was when the new one cannot be unpacked, or was not to the end", async () => {
    const { home, fresh, aside, unpack, looks, journal } = await setUp();
    const fails = async () => {
      await unpack();
      throw new Error("half");
    };
    await expect(swapHome({ home, fresh, aside }, fails)).rejects.toThrow("half");
    const before = { ...swapped, config: "old", beside: ["home"] };
    expect(await looks()).toEqual(before);
    await unpack();
    await journal("unpack");
    await finishSwap(home);
    expect(await looks()).toEqual(before);
  });

  it.each([0, 1, 2])(
    "is finished by the next start after a death in the middle, %i moved out",
    async (moved) => {
      const { home, aside, unpack, looks, journal } = await setUp();
      await unpack();
      await journal("out");
      await mkdir(aside);
      for (const name of ["config.json", "workspace"].slice(0, moved))
        await rename(join(home, name), join(aside, name));
      await finishSwap(home);
      expect(await looks()).toEqual(swapped);
      expect(await readFile(join(aside, "config.json"), "utf8")).toBe("old");
    },
  );

  it.each([0, 1, 2])(
    "is finished by the next start after a death in the middle, %i moved in",
    async (moved) => {
      const { home, fresh, aside, unpack, looks, journal } = await setUp();
      await unpack();
      await journal("in");
      await mkdir(aside);
      for (const name of ["config.json", "workspace"]) await rename(join(home, name), join(aside, name));
      for (const name of ["config.json", "workspace"].slice(0, moved))
        await rename(join(fresh, name), join(home, name));
      // Another program has begun in between.
      if (moved === 1) await mkdir(join(home, "workspace", "in-between"), { recursive: true });
      await finishSwap(home);
      expect(await looks()).toEqual(swapped);
      expect(await readdir(join(home, "workspace"))).toEqual(["b.md"]);
    },
  );

  it("is left alone by a journal that is damaged or names other folders", async () => {
    const { home, folder } = await setUp();
    await mkdir(join(folder, "other"));
    for (const text of [
      "\0\0",
      JSON.stringify({ phase: "unpack", fresh: join(folder, "other"), aside: "/tmp/x" }),
    ]) {
      await writeFile(join(home, "run", "restore.json"), text);
      await finishSwap(home);
    }
    expect((await readdir(folder)).sort()).toEqual(["home", "other"]);
  });
});
