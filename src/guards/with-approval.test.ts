import { describe, expect, it } from "vitest";
import * as z from "zod";
import { runTool } from "../../test/support/run-tool.ts";
import { createToolContext } from "../../test/support/tool-context.ts";
import { createWorkspace } from "../../test/support/workspace.ts";
import type { Answer } from "../bus/ask.ts";
import { defineTool } from "../runner/define-tool.ts";
import type { Tool } from "../runner/tool.ts";
import { type ApprovalMode, createCommandJudge, type Verdict, withApproval } from "./with-approval.ts";

const yes: Answer = { isAllowed: true, scope: "once" };
const always: Answer = { isAllowed: true, scope: "session" };

/** A tool that only says that it would run what it is given. */
function createRunner(name = "anything"): Tool & { ran: string[] } {
  const ran: string[] = [];
  const tool = defineTool({
    name,
    description: "Runs.",
    parameters: z.object({ command: z.string(), place: z.string().optional() }),
    effects: ({ command, place }) => [{ type: "run", command, workingDirectory: place }],
    async execute({ command }) {
      ran.push(command);
      return { content: "ran" };
    },
  });
  return { ...tool, ran } as Tool & { ran: string[] };
}

async function setUp(mode: ApprovalMode) {
  const { roots } = await createWorkspace();
  const wrap = withApproval({ mode, judge: createCommandJudge(roots) });
  const bare = createRunner();
  return { wrap, tool: wrap(bare), ran: bare.ran };
}

describe("ask", () => {
  it("lets plainly harmless commands run without a question", async () => {
    const { tool, ran } = await setUp("ask");
    const context = createToolContext();
    await runTool(tool, { command: "ls" }, context);
    expect(ran).toEqual(["ls"]);
    expect(context.asked).toEqual([]);
  });

  it("shows the exact command and runs it after a yes", async () => {
    const { tool, ran } = await setUp("ask");
    const context = createToolContext({ answer: yes });
    await runTool(tool, { command: "rm -rf 'a b'", place: "src" }, context);
    expect(context.asked).toEqual([
      {
        title: "Run a command in src",
        detail: "rm -rf 'a b'",
        reason: "It uses more of the shell than one plain command.",
        subject: "rm -rf 'a b' in src",
      },
    ]);
    expect(ran).toEqual(["rm -rf 'a b'"]);
  });

  it("refuses with the reason after a no, and where nobody can be asked", async () => {
    const { tool, ran } = await setUp("ask");
    await expect(runTool(tool, { command: "rm x" })).rejects.toThrow(
      /Not allowed: nobody can be asked here\. Do not try/,
    );
    const refused = createToolContext({ answer: { isAllowed: false, scope: "once" } });
    await expect(runTool(tool, { command: "rm x" }, refused)).rejects.toThrow(/the owner said no/);
    expect(ran).toEqual([]);
  });

  it("does not even ask about nothing or NUL bytes", async () => {
    const { tool } = await setUp("ask");
    const context = createToolContext({ answer: yes });
    await expect(runTool(tool, { command: " " }, context)).rejects.toThrow(/Give a command/);
    await expect(runTool(tool, { command: "ls\0" }, context)).rejects.toThrow(/NUL/);
    expect(context.asked).toEqual([]);
  });

  it("stops waiting for an answer when the turn is called off", async () => {
    const { tool } = await setUp("ask");
    const controller = new AbortController();
    const context = createToolContext({ signal: controller.signal, ask: () => new Promise(() => {}) });
    const call = runTool(tool, { command: "rm x" }, context);
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("leaves tools alone that do nothing to the world, or only write files", async () => {
    const { wrap } = await setUp("ask");
    const reader = { ...createRunner(), effects: undefined };
    expect(wrap(reader)).toBe(reader);
    const writer: Tool = { ...createRunner(), effects: () => [{ type: "write", path: "x" }] };
    const context = createToolContext();
    await runTool(wrap(writer), { command: "x" }, context);
    expect(context.asked).toEqual([]);
  });
});

describe("an answer for the session", () => {
  it("holds for the same command of the same person in the same session, whatever the tool", async () => {
    const { wrap, tool } = await setUp("ask");
    const context = createToolContext({ answer: always });
    await runTool(tool, { command: "make" }, context);
    await runTool(tool, { command: "make" }, context);
    await runTool(wrap(createRunner("another")), { command: "make" }, context);
    expect(context.asked).toHaveLength(1);
    await runTool(tool, { command: "make", place: "src" }, context);
    await runTool(tool, { command: "make clean" }, context);
    expect(context.asked).toHaveLength(3);
    const elsewhere = createToolContext({ answer: always, sessionKey: "cli:other" });
    await runTool(tool, { command: "make" }, elsewhere);
    expect(elsewhere.asked).toHaveLength(1);
    const other = createToolContext({ answer: always, origin: { ...context.origin, person: "li" } });
    await runTool(tool, { command: "make" }, other);
    expect(other.asked).toHaveLength(1);
  });

  it("is not remembered for once, nor for ever", async () => {
    const { tool } = await setUp("ask");
    const once = createToolContext({ answer: yes });
    await runTool(tool, { command: "make" }, once);
    await runTool(tool, { command: "make" }, once);
    expect(once.asked).toHaveLength(2);
    const context = createToolContext({ answer: always });
    for (let index = 0; index <= 500; index++) await runTool(tool, { command: `make ${index}` }, context);
    await runTool(tool, { command: "make 500" }, context);
    expect(context.asked).toHaveLength(501);
    await runTool(tool, { command: "make 0" }, context);
    expect(context.asked).toHaveLength(502);
  });
});

it("auto refuses instead of asking", async () => {
  const { tool, ran } = await setUp("auto");
  const context = createToolContext({ answer: yes });
  await runTool(tool, { command: "ls" }, context);
  await expect(runTool(tool, { command: "make" }, context)).rejects.toThrow(
    /asking is switched off.*"make" is not on/,
  );
  expect(ran).toEqual(["ls"]);
  expect(context.asked).toEqual([]);
});

it("off allows everything", async () => {
  const { tool, ran } = await setUp("off");
  const context = createToolContext();
  await runTool(tool, { command: "make | sh" }, context);
  expect(ran).toEqual(["make | sh"]);
  expect(context.asked).toEqual([]);
});

it("judges every effect of a call", async () => {
  const judged: string[] = [];
  const judge = async (effect: { type: string }): Promise<Verdict> => {
    judged.push(effect.type);
    return { type: "allow" };
  };
  const tool: Tool = {
    ...createRunner(),
    effects: () => [
      { type: "write", path: "a" },
      { type: "fetch", url: "https://a.example", sendsData: true },
    ],
  };
  await runTool(withApproval({ mode: "ask", judge })(tool), { command: "x" });
  expect(judged).toEqual(["write", "fetch"]);
});
