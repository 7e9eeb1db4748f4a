import { cp, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { createSessionHome, type SessionHome, said, textsOf } from "../../../test/support/session-home.ts";
import { SessionManager } from "./session-manager.ts";

/** A workspace with one session, as a first start leaves it. */
async function createUsed(): Promise<{ home: SessionHome; folder: string; idPath: string }> {
  const home = await createSessionHome();
  const store = await home.openStore();
  await (await store.open("k", "owner")).append([said("T", "hello")]);
  return { home, folder: store.folder, idPath: join(home.workspace, ".nanobot", "workspace-id") };
}

async function textsIn(home: SessionHome, workspace?: string): Promise<unknown[]> {
  return textsOf(await (await home.openStore(workspace)).open("k", "owner"));
}

describe("the folder of a workspace's sessions", () => {
  test("is named by the id in the workspace, names the workspace, and is private", async () => {
    const { home, folder, idPath } = await createUsed();
    const id = await readFile(idPath, "utf8");
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(folder).toBe(join(home.root, id));
    expect(await readFile(join(folder, ".workspace"), "utf8")).toBe(home.workspace);
    for (const path of [home.root, folder]) expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect((await home.openStore()).folder).toBe(folder);
  });

  test("is made private when it was not", async () => {
    const home = await createSessionHome();
    await mkdir(home.root, { mode: 0o755 });
    await home.openStore();
    expect((await stat(home.root)).mode & 0o777).toBe(0o700);
  });

  test("stays with a workspace that moved", async () => {
    const { home, folder } = await createUsed();
    const moved = join(home.home, "elsewhere");
    await rename(home.workspace, moved);
    expect(await textsIn(home, moved)).toEqual(["hello"]);
    expect(await readFile(join(folder, ".workspace"), "utf8")).toBe(moved);
    expect(home.logged).toContain("workspace-moved");
  });

  test("stays with the original when a workspace is copied; the copy gets its own", async () => {
    const { home, folder } = await createUsed();
    const copy = join(home.home, "copy");
    await cp(home.workspace, copy, { recursive: true });
    expect(await textsIn(home, copy)).toEqual([]);
    expect(await textsIn(home)).toEqual(["hello"]);
    expect((await home.openStore(copy)).folder).not.toBe(folder);
    expect((await home.openStore(copy)).folder).toBe((await home.openStore(copy)).folder);
  });

  test.each([
    ["zeros at its end", (path: string) => `${path}\0\0\0`],
    ["nothing but zeros", () => "\0".repeat(40)],
    ["a folder above the workspace", (path: string) => dirname(path)],
    ["no path", () => "{garbage}"],
    ["far too much", () => "/x".repeat(100_000)],
  ])("stays when its marker holds %s", async (_name, damage) => {
    const { home, folder } = await createUsed();
    await writeFile(join(folder, ".workspace"), damage(home.workspace));
    expect(await textsIn(home)).toEqual(["hello"]);
    expect(await readFile(join(folder, ".workspace"), "utf8")).toBe(home.workspace);
  });

  test.each([
    ["of no folder", async (path: string) => writeFile(path, "0123456789abcdef".repeat(2))],
    ["far too long", async (path: string) => writeFile(path, "0".repeat(100_000))],
    ["lost", async (path: string) => rm(path)],
    ["emptied", async (path: string) => writeFile(path, "")],
    ["overwritten", async (path: string) => writeFile(path, "../../somewhere")],
  ])("is found again when the id was %s", async (_name, damage) => {
    const { home, folder, idPath } = await createUsed();
    await mkdir(join(home.root, "f".repeat(32)));
    await damage(idPath);
    expect(await textsIn(home)).toEqual(["hello"]);
    expect(await readFile(idPath, "utf8")).toBe(basename(folder));
  });

  test("is named again when its marker was lost", async () => {
    const { home, folder } = await createUsed();
    await rm(join(folder, ".workspace"));
    expect(await textsIn(home)).toEqual(["hello"]);
    expect(await readFile(join(folder, ".workspace"), "utf8")).toBe(home.workspace);
  });

  test("is made again when the home is a new one", async () => {
    const { home, folder } = await createUsed();
    await rm(home.root, { recursive: true });
    expect((await home.openStore()).folder).toBe(folder);
  });

  test("is not that of another workspace whose id was written into this one", async () => {
    const { home, folder } = await createUsed();
    const other = join(home.home, "other");
    await mkdir(join(other, ".nanobot"), { recursive: true });
    await writeFile(join(other, ".nanobot", "workspace-id"), basename(folder));
    expect(await textsIn(home, other)).toEqual([]);
  });

  test("is the same for all processes that start at about the same time, and nothing else is left", async () => {
    for (let round = 0; round < 20; round++) {
      const home = await createSessionHome();
      const openLater = async (turns: number) => {
        for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
        return home.openStore();
      };
      const stores = await Promise.all(Array.from({ length: 10 }, (_, index) => openLater(index % 7)));
      expect(new Set(stores.map(({ folder }) => folder)).size).toBe(1);
      expect(await readdir(home.root)).toEqual([basename(stores[0]?.folder ?? "")]);
    }
  });

  test("is found through a link to the workspace", async () => {
    const { home, folder } = await createUsed();
    const link = join(home.home, "link");
    await symlink(home.workspace, link);
    expect((await home.openStore(link)).folder).toBe(folder);
  });
});

describe("a place that cannot be trusted is refused", () => {
  test("sessions inside the workspace, also through a link", async () => {
    const home = await createSessionHome();
    const options = { clock: home.clock, log: { debug() {}, info() {}, warn() {}, error() {} } };
    const inside = join(home.workspace, "deep", "sessions");
    await expect(
      SessionManager.open({ ...options, root: inside, workspace: home.workspace }),
    ).rejects.toThrow("storage.sessions-in-workspace");
    await expect(stat(inside)).rejects.toThrow("ENOENT");
    await symlink(home.workspace, join(home.home, "link"));
    const linked = join(home.home, "link", "sessions");
    await expect(
      SessionManager.open({ ...options, root: linked, workspace: home.workspace }),
    ).rejects.toThrow("storage.sessions-in-workspace");
    await expect(SessionManager.open({ ...options, root: home.root, workspace: home.home })).rejects.toThrow(
      "storage.sessions-in-workspace",
    );
  });

  test.each(["workspace-id", ".nanobot", ".workspace", "folder"])("a link in place of %s", async (part) => {
    const { home, folder, idPath } = await createUsed();
    const paths: Record<string, string> = {
      "workspace-id": idPath,
      ".nanobot": join(home.workspace, ".nanobot"),
      ".workspace": join(folder, ".workspace"),
      folder,
    };
    const path = paths[part] ?? "";
    await rename(path, join(home.home, "real"));
    await symlink(join(home.home, "real"), path);
    await expect(home.openStore()).rejects.toMatchObject({ fault: "not-plain", path });
  });
});
