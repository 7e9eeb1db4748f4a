import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { terminalOrigin } from "../../../test/support/origins.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSandbox, type SandboxMode, type SandboxOptions } from "./sandbox.ts";

const command = {
  words: ["/bin/bash", "-c", "ls"] as const,
  folder: { path: "/proc/self/fd/9", realPath: "/ws" },
  env: { PATH: "/usr/bin" },
  origin: terminalOrigin,
  access: {},
};

function sandboxOf(mode: SandboxMode, more: Partial<SandboxOptions> = {}) {
  const places = async () => ({
    places: [{ path: "/ws", access: "write" as const, isFolder: true }],
    writable: [],
    release() {},
  });
  return createSandbox({ mode, places, path: "", userFolder: "/home/me", ...more });
}

/** A folder with a bwrap that behaves like this. */
async function pathWith(script: string): Promise<string> {
  const folder = await createTemporaryFolder({ bwrap: `#!/bin/sh\n${script}\n` });
  await chmod(`${folder}/bwrap`, 0o755);
  return folder;
}

describe("where there is no sandbox", () => {
  it("commands run as they are, if none is required", async () => {
    const sandbox = sandboxOf("auto", { platform: "linux" });
    expect(sandbox.isContained()).toBe(false);
    expect(sandbox.state()).toEqual({ isContained: false, reason: "missing" });
    expect(await sandbox.wrap(command)).toEqual({
      file: "/bin/bash",
      args: ["-c", "ls"],
      env: { PATH: "/usr/bin" },
      cwd: "/proc/self/fd/9",
    });
  });

  it("no command runs if one is required, and it is said what to do", async () => {
    const missing = sandboxOf("required", { platform: "linux" });
    await expect(missing.wrap(command)).rejects.toThrow(/apt install bubblewrap.*Tell the user/);
    const elsewhere = sandboxOf("required", { platform: "win32" });
    expect(elsewhere.state()).toEqual({ isContained: false, reason: "unsupported" });
    await expect(elsewhere.wrap(command)).rejects.toThrow(/this system has none/);
  });

  it("it is not looked for when it is switched off", async () => {
    const path = await pathWith("exit 0");
    const sandbox = sandboxOf("off", { path, platform: "linux" });
    expect(sandbox.state()).toEqual({ isContained: false, reason: "off" });
    expect((await sandbox.wrap(command)).file).toBe("/bin/bash");
  });
});

describe.runIf(process.platform === "linux")("a sandbox that is installed", () => {
  it("counts only if it works here", async () => {
    const path = await pathWith("echo 'bwrap: No permissions to create new namespace' >&2; exit 1");
    const sandbox = sandboxOf("required", { path, platform: "linux", isInContainer: false });
    const inside = sandboxOf("auto", { path, platform: "linux", isInContainer: true });
    expect(inside.state()).toMatchObject({ isContained: false, reason: "container" });
    expect(sandbox.state()).toEqual({
      isContained: false,
      reason: "forbidden",
      detail: "bwrap: No permissions to create new namespace",
    });
    await expect(sandbox.wrap(command)).rejects.toThrow(/the system forbids it \(bwrap: No permissions/);
  });

  it("that gives no answer is asked again, and not for ever", async () => {
    const folder = await createTemporaryFolder({ busy: "", count: "" });
    const path = await pathWith(`echo x >> ${folder}/count; [ -e ${folder}/busy ] && kill -KILL $$; exit 0`);
    const sandbox = sandboxOf("required", { path, platform: "linux", isInContainer: false });
    expect(sandbox.state()).toMatchObject({ isContained: false, reason: "forbidden" });
    await expect(sandbox.wrap(command)).rejects.toThrow(/the system forbids it/);
    await rm(`${folder}/busy`);
    expect((await sandbox.wrap(command)).args).toContain("--unshare-net");

    await writeFile(`${folder}/busy`, "");
    const never = sandboxOf("auto", { path, platform: "linux" });
    await writeFile(`${folder}/count`, "");
    for (let look = 0; look < 9; look++) expect(never.isContained()).toBe(false);
    expect(await readFile(`${folder}/count`, "utf8")).toBe("x\nx\nx\n");
  });

  it("is tried once, and then around every command", async () => {
    const folder = await createTemporaryFolder({ count: "" });
    const path = await pathWith(`echo x >> ${folder}/count`);
    const sandbox = sandboxOf("auto", { path, platform: "linux" });
    expect(sandbox.isContained()).toBe(true);
    expect(sandbox.state()).toEqual({ isContained: true, name: "bubblewrap" });
    const { file, args, env } = await sandbox.wrap(command);
    const words = [file, ...args];
    expect(words).toContain(`${path}/bwrap`);
    expect(words).toContain("--unshare-net");
    expect(words.slice(-3)).toEqual(["/bin/bash", "-c", "ls"]);
    expect(words.join(" ")).toContain("--bind /ws /ws");
    expect(env).toEqual({ PATH: "/usr/bin", TMPDIR: "/tmp" });
    expect((await sandbox.wrap({ ...command, access: { network: true } })).args).not.toContain(
      "--unshare-net",
    );
    expect(await readFile(`${folder}/count`, "utf8")).toBe("x\nx\n");
  });
});
