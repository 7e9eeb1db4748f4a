import { readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { terminalOrigin } from "../../test/support/origins.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import type { NewInbound, Origin } from "../bus/types.ts";
import { silentLog } from "../lib/log.ts";
import { packagePath } from "../lib/package-root.ts";
import { findActiveTasks, Heartbeat } from "./heartbeat.ts";

describe("active tasks", () => {
  it.each([
    ["", []],
    ["# Heartbeat\n\n## Active Tasks\n\n", []],
    ["<!-- - water the plants -->\n<!-- open\n- mail", []],
    ["## Active Tasks\n- check the mail\n\n## Completed\n- old", ["- check the mail"]],
    ["- [x] done\n- [ ] to do", ["- [ ] to do"]],
    ["## 任务\n- 看天气\r\n## 已完成\n- 旧的", ["- 看天气"]],
    ["## Done\n- a\n## Later\nb", ["b"]],
  ])("of %j are %j", (text, tasks) => expect(findActiveTasks(text)).toEqual(tasks));

  it("are none in a new workspace", async () => {
    expect(findActiveTasks(await readFile(packagePath("templates", "HEARTBEAT.md"), "utf8"))).toEqual([]);
  });
});

describe("the heartbeat", () => {
  async function createScene(text: string, target: { origin?: Origin } = { origin: terminalOrigin }) {
    const workspace = await createTemporaryFolder({ "HEARTBEAT.md": text });
    const published: NewInbound[] = [];
    const open = new Set<string>();
    const clock = createFakeClock();
    const heartbeat = new Heartbeat({
      workspace,
      intervalMs: 1_800_000,
      clock,
      log: silentLog,
      publish: async (message) => {
        const known = published.findIndex(({ sourceKey }) => sourceKey === message.sourceKey);
        if (known >= 0) return { id: `t${known + 1}`, isDuplicate: true };
        published.push(message);
        return { id: `t${published.length}`, isDuplicate: false };
      },
      isOpen: (id) => open.has(id),
      findTarget: async () => target.origin,
    });
    return { workspace, heartbeat, published, open, clock };
  }

  it("asks nothing of anyone while there is no active task, or no file", async () => {
    const { heartbeat, published, workspace } = await createScene("# Heartbeat\n");
    await heartbeat.run();
    await writeFile(join(workspace, "HEARTBEAT.md"), "- look");
    await heartbeat.run();
    expect(published).toHaveLength(1);
  });

  it("reads no file outside the workspace, and follows a link inside it", async () => {
    const { heartbeat, published, workspace } = await createScene("");
    const outside = await createTemporaryFolder({ "secrets.txt": "- the password" });
    const path = join(workspace, "HEARTBEAT.md");
    await rm(path);
    await symlink(join(outside, "secrets.txt"), path);
    await expect(heartbeat.run()).rejects.toMatchObject({ fault: "not-plain", path });
    expect(published).toEqual([]);
    await rm(path);
    await writeFile(join(workspace, "tasks.md"), "- look");
    await symlink("tasks.md", path);
    await heartbeat.run();
    expect(published).toMatchObject([{ text: expect.stringContaining("- look") }]);
  });

  it("is not silent when the clock is set back to a time that has been", async () => {
    const { heartbeat, published, open } = await createScene("- look for mail");
    await heartbeat.run();
    await heartbeat.run();
    expect(published).toHaveLength(2);
    open.add("t2");
    await heartbeat.run();
    expect(published).toHaveLength(2);
  });

  it("goes to the chat that hears of it, in a session of its own", async () => {
    const { heartbeat, published } = await createScene("- look for mail");
    await heartbeat.run();
    expect(published[0]).toMatchObject({
      sessionKey: "heartbeat",
      kind: "system",
      origin: { channel: "cli", cause: "heartbeat" },
      text: expect.stringContaining("- look for mail"),
    });
  });

  it("does not pile up on a look that is not over", async () => {
    const { heartbeat, published, open } = await createScene("- look");
    open.add("t1");
    await heartbeat.run();
    await heartbeat.run();
    expect(published).toHaveLength(1);
  });

  it("does nothing where nobody would hear of it", async () => {
    const { heartbeat, published } = await createScene("- look", {});
    await heartbeat.run();
    expect(published).toEqual([]);
  });
});
