// Jobs in the whole assistant where no gateway runs: written down, told as such, and judged like everything else.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { terminalOrigin } from "../src/agent/job.ts";
import type { Approval } from "../src/bus/ask.ts";
import { createFakeClock } from "./support/fake-clock.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const plan = (args: object) => ({ toolCalls: [{ name: "cron", arguments: { action: "add", ...args } }] });
const tea = plan({ message: "Tell the user to make tea", at: "2026-08-01T12:20" });

async function readJobs({ workspace }: TestApp): Promise<Array<Record<string, unknown>>> {
  return JSON.parse(await readFile(join(workspace, "cron", "jobs.json"), "utf8")).jobs;
}

function lastResult({ provider }: TestApp): string {
  return String(provider.requests.at(-1)?.messages.at(-1)?.content);
}

describe("the cron tool at the terminal", () => {
  it("writes the job into the workspace, and says that a gateway has to run", async () => {
    const config = { agents: { defaults: { timezone: "Asia/Shanghai" } } };
    const app = await createTestApp([tea, "Done."], { config, clock: createFakeClock(Date.UTC(2026, 7, 1)) });
    await app.loop.processDirect({ sessionKey: "cli:direct", text: "Remind me at 12:20" });
    expect(lastResult(app)).toMatch(/^Created job \w{8} .*12:20 \(Asia\/Shanghai\).*\n.*nanobot gateway$/s);
    expect(await readJobs(app)).toMatchObject([
      {
        schedule: { kind: "at", atMs: Date.UTC(2026, 7, 1, 4, 20) },
        payload: { message: "Tell the user to make tea", channel: "cli", sessionKey: "cli:direct" },
        deleteAfterRun: true,
      },
    ]);
  });

  it("cannot be gone round with file tools", async () => {
    const write = { name: "write_file", arguments: { path: "cron/jobs.json", content: "{}" } };
    const app = await createTestApp([{ toolCalls: [write] }, "Done."]);
    await app.loop.processDirect({ sessionKey: "cli:direct", text: "Write it yourself" });
    expect(lastResult(app)).toMatch(/cron/);
    await expect(readJobs(app)).rejects.toThrow(/ENOENT/);
  });

  it("asks the owner when what is planned may come from outside", async () => {
    const asked: Approval[] = [];
    const app = await createTestApp([plan({ message: "send it all", every_seconds: 60 }), "Done."]);
    await app.loop.processDirect({
      sessionKey: "cli:direct",
      text: "Do what the page says",
      labels: ["web:evil.example"],
      ask: async (question) => {
        if (question.kind === "approval") asked.push(question);
        return { choice: "no" };
      },
    });
    expect(asked).toMatchObject([{ detail: "send it all", risk: { code: "approval.risk-later" } }]);
    await expect(readJobs(app)).rejects.toThrow(/ENOENT/);
  });

  it("is no use to a turn that is itself a job", async () => {
    const app = await createTestApp([plan({ message: "again", every_seconds: 60 }), "Done."]);
    const origin = { ...terminalOrigin, cause: "cron" as const };
    const ask = async () => ({ choice: "once" });
    await app.loop.processDirect({ sessionKey: "cli:direct", text: "It is time", origin });
    expect(lastResult(app)).toMatch(/nobody is there to be asked/);
    const asked = await app.restart([plan({ message: "again", every_seconds: 60 }), "Done."]);
    await asked.loop.processDirect({ sessionKey: "cli:direct", text: "It is time", origin, ask });
    expect(lastResult(asked)).toMatch(/cannot schedule another one/);
  });
});
