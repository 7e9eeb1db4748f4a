// The commands that the built-in skills tell the model to run: none is refused, and what they promise works inside of the
// sandbox.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createCommandPolicy } from "../src/guards/command/command-policy.ts";
import { systemClock } from "../src/lib/clock.ts";
import { packagePath } from "../src/lib/package-root.ts";
import { createProcess } from "../src/tools/commands/process.ts";
import { ProcessTable } from "../src/tools/commands/process-table.ts";
import { terminalOrigin } from "./support/origins.ts";
import { runToolText } from "./support/run-tool.ts";
import { createSandboxedShell, hasBubblewrap } from "./support/sandboxed-shell.ts";
import { hasSystemPart } from "./support/system-part.ts";
import { createWorkspace } from "./support/workspace.ts";

const names = readdirSync(packagePath("skills"));

/** Lines of shell blocks, and what is in backquotes and begins with a program. */
function listCommands(skill: string): string[] {
  const text = readFileSync(packagePath("skills", skill, "SKILL.md"), "utf8");
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].flatMap(([, body = ""]) =>
    body.trim().split("\n"),
  );
  const spans = [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/`([^`\n]+)`/g)].map(
    ([, span = ""]) => span,
  );
  const commands = [...blocks, ...spans.filter((span) => /^(nanobot|npx|gh|curl|tmux|git|npm) /.test(span))];
  return commands.map((command) => command.replaceAll(/<[^>]+>/g, "x"));
}

async function judge(command: string, isContained: boolean) {
  const { roots, workspace } = await createWorkspace();
  const rules = { allow: [], deny: [], allowPatterns: [], denyPatterns: [] };
  const policy = createCommandPolicy({
    ...rules,
    roots,
    workspace,
    home: workspace,
    isContained: () => isContained,
  });
  return (await policy.judge({ command }, { origin: terminalOrigin })).class;
}

it.each(names)(
  "the commands of %s run unasked in a sandbox, and none is refused without one",
  async (skill) => {
    for (const command of listCommands(skill)) {
      expect([command, await judge(command, true)]).toEqual([command, "harmless"]);
      expect(["harmless", "ask"]).toContain(await judge(command, false));
    }
  },
);

describe.runIf(hasBubblewrap())("in the sandbox", () => {
  const hasTmux = hasSystemPart(["tmux", "-V"], "tmux");

  it.runIf(hasTmux)("tmux is steered from one call to the next, as its skill says", async () => {
    const processes = new ProcessTable(systemClock);
    const { run } = await createSandboxedShell({ exec: { processes } });
    const [start = "", type = "", enter = "", capture = ""] = listCommands("tmux");
    try {
      expect(await run(start, { yield_time_ms: 500 })).toMatch(/still runs/);
      await expect.poll(() => run("tmux -S tmux.sock list-sessions")).toMatch(/^build: /);
      expect(await run(type.replace("npm run dev", "echo $((6 * 7))"))).toBe("Exit code: 0");
      expect(await run(enter)).toBe("Exit code: 0");
      await expect.poll(() => run(capture)).toMatch(/^42$/m);
      await run("tmux -S tmux.sock kill-session -t build");
      const id = processes.list("cli:direct")[0]?.id;
      const tool = createProcess(processes, systemClock);
      expect(await runToolText(tool, { action: "read", id, wait_ms: 20_000 })).toMatch(/Exit code/);
    } finally {
      await processes.close();
    }
  });

  it("nanobot itself can check a skill, when it is visible", async () => {
    const skill = readFileSync(packagePath("skills/weather/SKILL.md"));
    const { run } = await createSandboxedShell({
      files: { ".nanobot/workspace/skills/weather/SKILL.md": skill },
      places: {
        readBinds: ["src", "scripts", "skills", "templates", "node_modules", "package.json"].map((name) =>
          packagePath(name),
        ),
      },
    });
    const program = `${process.execPath} ${packagePath("scripts/dev.ts")}`;
    expect(await run(`${program} skills check ${join("skills", "weather")}`)).toMatch(/Exit code: 0$/);
  });

  it("a service on the web is out of reach until the owner has agreed, and the model is told so", async () => {
    const { run } = await createSandboxedShell();
    expect(await run("curl -sS https://example.org/")).toMatch(/Could not resolve host.*network/s);
  });
});
