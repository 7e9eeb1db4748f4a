// The commands that the built-in skills tell the model to run: which of them are asked about under the defaults, which
// are given the network, and that the rest of what they promise works inside of the sandbox.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
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

/** How many of a skill's commands are asked about, and which program needs the network for them. */
const questions: Record<string, { asked: string[]; network: string[] }> = {
  clawhub: {
    asked: [
      "nanobot skills list",
      "nanobot skills check",
      "nanobot skills add",
      "nanobot skills disable",
      "npx",
    ],
    network: ["npx"],
  },
  cron: { asked: ["nanobot cron"], network: [] },
  github: { asked: ["gh"], network: ["gh"] },
  memory: { asked: [], network: [] },
  "skill-creator": { asked: ["nanobot skills check"], network: [] },
  summarize: { asked: [], network: [] },
  tmux: { asked: ["tmux"], network: [] },
  weather: { asked: ["curl"], network: ["curl"] },
};

const names = readdirSync(packagePath("skills"));

/** Lines of shell blocks, and what stands in backquotes and begins with a program. */
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
  const { roots } = await createWorkspace();
  const rules = { allow: [], deny: [], allowPatterns: [], denyPatterns: [] };
  return createCommandPolicy({ ...rules, roots, isContained: () => isContained }).judge(command, {
    origin: terminalOrigin,
  });
}

it("knows what each built-in skill asks for", () => {
  expect(Object.keys(questions)).toEqual(names);
});

describe.each(names)("the commands of %s", (skill) => {
  const { asked = [], network = [] } = questions[skill] ?? {};
  const isOf = (list: string[], command: string) => list.some((start) => command.startsWith(start));

  it.each([true, false])(
    "are asked about as listed, and none is refused (in a sandbox: %s)",
    async (isContained) => {
      for (const command of listCommands(skill)) {
        const { class: judged } = await judge(command, isContained);
        expect([command, judged]).toEqual([command, isOf(asked, command) ? "ask" : "harmless"]);
      }
      for (const start of asked)
        expect(listCommands(skill).some((command) => command.startsWith(start))).toBe(true);
    },
  );

  it("get the network where they need it, and only there", async () => {
    for (const command of listCommands(skill)) {
      const { needsNetwork } = await judge(command, true);
      expect([command, needsNetwork]).toEqual([command, isOf(network, command)]);
    }
  });
});

describe.runIf(hasBubblewrap())("in the sandbox", () => {
  const hasTmux = hasSystemPart(["tmux", "-V"], "tmux");

  it.runIf(hasTmux)("tmux is steered from one call to the next, as its skill says", async () => {
    const processes = new ProcessTable(systemClock);
    const { run } = await createSandboxedShell({ exec: { processes } });
    const [start = "", type = "", enter = "", capture = ""] = listCommands("tmux");
    try {
      expect(await run(start, { yield_time_ms: 500 })).toMatch(/still runs/);
      await vi.waitFor(
        async () => expect(await run("tmux -S tmux.sock list-sessions")).toMatch(/^build: /),
        10_000,
      );
      expect(await run(type.replace("npm run dev", "echo $((6 * 7))"))).toBe("Exit code: 0");
      expect(await run(enter)).toBe("Exit code: 0");
      await vi.waitFor(async () => expect(await run(capture)).toMatch(/^42$/m), 10_000);
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
    const [, command = ""] = listCommands("weather");
    expect(await run(command)).toMatch(/Could not resolve host.*\(The sandbox has no network/s);
  });
});
