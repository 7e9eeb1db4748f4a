import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { runTool } from "../../../test/support/run-tool.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createToolContext, owner } from "../../../test/support/tool-context.ts";
import { type Answer, toApprovalChoices } from "../../bus/ask.ts";
import { phrase } from "../../i18n/phrase.ts";
import { defineTool } from "../../runner/define-tool.ts";
import type { Tool } from "../../runner/tool.ts";
import { RememberedApprovals } from "../../storage/grants/remembered-approvals.ts";
import {
  type ApprovalMode,
  type ApprovalOptions,
  type ApprovalRequest,
  combineJudges,
  type Judge,
  type Verdict,
  withApproval,
} from "./with-approval.ts";

const yes: Answer = { choice: "once" };
const forSession: Answer = { choice: "session" };
const forEver: Answer = { choice: "always" };
const guest = { ...owner, person: "li", role: "guest" as const };

/** A tool that only says that it would run what it is given. */
function createRunner(name = "anything"): Tool & { ran: string[] } {
  const ran: string[] = [];
  const tool = defineTool({
    name,
    description: "Runs.",
    parameters: z.object({ command: z.string() }),
    effects: ({ command }) => [{ type: "run", command }],
    async execute({ command }) {
      ran.push(command);
      return { content: "ran" };
    },
  });
  return { ...tool, ran } as Tool & { ran: string[] };
}

/** `ls` is harmless, `fork` is refused, everything else is asked about; labels of the turn are named. */
function createJudge(change: Partial<ApprovalRequest> = {}): Judge {
  return async (effect, { labels }): Promise<Verdict> => {
    if (effect.type !== "run" || effect.command === "ls") return { type: "allow" };
    const { command } = effect;
    if (command === "fork") return { type: "deny", reason: "Never." };
    const reasons = [phrase("approval.no-sandbox")];
    const request = { phrase: phrase("approval.run", {}), detail: command, reasons, subject: command };
    const outside = labels.size > 0 && { labels: [...labels] };
    return { type: "ask", request: { ...request, ...outside, ...change } };
  };
}

function setUp(mode: ApprovalMode, options: Partial<ApprovalOptions> = {}) {
  const wrap = withApproval({ mode, judge: createJudge(), ...options });
  const bare = createRunner();
  return { wrap, tool: wrap(bare), ran: bare.ran };
}

describe("ask", () => {
  it("lets what is harmless run without a question", async () => {
    const { tool, ran } = setUp("ask");
    const context = createToolContext();
    await runTool(tool, { command: "ls" }, context);
    expect(ran).toEqual(["ls"]);
    expect(context.asked).toEqual([]);
  });

  it("shows what is about to happen, why and at what risk, and does it after a yes", async () => {
    const { tool, ran } = setUp("ask");
    const context = createToolContext({ answer: yes });
    await runTool(tool, { command: "rm -rf 'a b'" }, context);
    expect(context.asked).toEqual([
      {
        kind: "approval",
        phrase: phrase("approval.run", {}),
        detail: "rm -rf 'a b'",
        reasons: [phrase("approval.no-sandbox")],
        subject: "rm -rf 'a b'",
        risk: phrase("approval.risk-command"),
        choices: toApprovalChoices({ session: true, always: true }),
      },
    ]);
    expect(ran).toEqual(["rm -rf 'a b'"]);
  });

  it("makes everything visible before any surface sees it, and keeps the subject as it is", async () => {
    const change = {
      phrase: phrase("approval.run", { folder: "a\u202e it" }),
      reasons: [phrase("approval.secret", { path: "a\u001b[2Jb\nc" })],
    };
    const { tool } = setUp("ask", { judge: createJudge(change) });
    const context = createToolContext({ answer: yes });
    await runTool(tool, { command: "rm\u200b x\r\nls\u001b[1A" }, context);
    expect(context.asked[0]).toMatchObject({
      phrase: phrase("approval.run", { folder: "a<U+202E> it" }),
      detail: "rm<U+200B> x\nls␛[1A",
      reasons: [phrase("approval.secret", { path: "a␛[2Jb␊c" })],
      subject: "rm\u200b x\r\nls\u001b[1A",
    });
  });

  it("does not ask about what nobody could look through", async () => {
    const { tool, ran } = setUp("ask");
    const context = createToolContext({ answer: yes });
    const command = `echo ${"long ".repeat(5000)}`;
    await expect(runTool(tool, { command }, context)).rejects.toThrow(/too long for the owner to decide on/);
    expect([ran, context.asked]).toEqual([[], []]);
  });

  it("refuses with the reason after a no, and where nobody can be asked", async () => {
    const { tool, ran } = setUp("ask");
    await expect(runTool(tool, { command: "rm x" })).rejects.toThrow(
      /Not allowed: nobody is there to be asked\. Do not try/,
    );
    const refused = createToolContext({ answer: { choice: "no" } });
    await expect(runTool(tool, { command: "rm x" }, refused)).rejects.toThrow(
      /the owner said no\. Do not try/,
    );
    const instead = createToolContext({ answer: { choice: "no", text: "move it to old/" } });
    await expect(runTool(tool, { command: "rm x" }, instead)).rejects.toThrow(
      /^Not allowed: the owner said no, and: move it to old\/$/,
    );
    expect(ran).toEqual([]);
  });

  it("stops waiting for an answer when the turn is called off", async () => {
    const { tool } = setUp("ask");
    const controller = new AbortController();
    const context = createToolContext({ signal: controller.signal, ask: () => new Promise(() => {}) });
    const call = runTool(tool, { command: "rm x" }, context);
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("leaves tools alone that do nothing to the world, or that no judge minds", async () => {
    const { wrap } = setUp("ask");
    const reader = { ...createRunner(), effects: undefined };
    expect(wrap(reader)).toBe(reader);
    const writer: Tool = { ...createRunner(), effects: () => [{ type: "write", path: "x" }] };
    const context = createToolContext();
    await runTool(wrap(writer), { command: "x" }, context);
    expect(context.asked).toEqual([]);
  });

  it("judges every effect of a call, and does nothing when one is refused", async () => {
    const judged: string[] = [];
    const judge: Judge = async (effect) => {
      judged.push(effect.type);
      return effect.type === "fetch" ? { type: "deny", reason: "No." } : { type: "allow" };
    };
    const bare = createRunner();
    const effects: Tool["effects"] = () => [
      { type: "write", path: "a" },
      { type: "fetch", url: "https://a.example", sendsData: true },
    ];
    const tool = withApproval({ mode: "ask", judge })({ ...bare, effects });
    await expect(runTool(tool, { command: "x" })).rejects.toThrow("No.");
    expect([judged, bare.ran]).toEqual([["write", "fetch"], []]);
  });
});

describe("a yes for the session", () => {
  it("holds for the same thing, of the same person, in the same session, whatever the tool", async () => {
    const { wrap, tool } = setUp("ask");
    const context = createToolContext({ answer: forSession });
    await runTool(tool, { command: "make" }, context);
    await runTool(tool, { command: "make" }, context);
    await runTool(wrap(createRunner("another")), { command: "make" }, context);
    expect(context.asked).toHaveLength(1);
    await runTool(tool, { command: "make clean" }, context);
    expect(context.asked).toHaveLength(2);
    const elsewhere = createToolContext({ answer: forSession, sessionKey: "cli:other" });
    await runTool(tool, { command: "make" }, elsewhere);
    expect(elsewhere.asked).toHaveLength(1);
    const other = createToolContext({ answer: forSession, origin: guest });
    await runTool(tool, { command: "make" }, other);
    expect(other.asked).toHaveLength(1);
  });

  it("does not cover the time after content from outside came in", async () => {
    const { tool } = setUp("ask");
    await runTool(tool, { command: "make" }, createToolContext({ answer: forSession }));
    const tainted = createToolContext({ answer: forSession, labels: new Set(["web:a.example"]) });
    await runTool(tool, { command: "make" }, tainted);
    await runTool(tool, { command: "make" }, tainted);
    expect(tainted.asked).toHaveLength(1);
    expect(tainted.asked[0]).toMatchObject({ labels: ["web:a.example"] });
    expect(tainted.asked[0]?.choices).toEqual(toApprovalChoices({ session: true }));
  });

  it("is bounded in number", async () => {
    const { tool } = setUp("ask");
    const once = createToolContext({ answer: yes });
    await runTool(tool, { command: "make" }, once);
    await runTool(tool, { command: "make" }, once);
    expect(once.asked).toHaveLength(2);
    const context = createToolContext({ answer: forSession });
    for (let index = 0; index <= 500; index++) await runTool(tool, { command: `make ${index}` }, context);
    await runTool(tool, { command: "make 500" }, context);
    expect(context.asked).toHaveLength(501);
    await runTool(tool, { command: "make 0" }, context);
    expect(context.asked).toHaveLength(502);
  });
});

describe("a yes for ever", () => {
  async function setUpFile() {
    const path = join(await createTemporaryFolder(), "approvals.json");
    const remembered = new RememberedApprovals(path, createFakeClock());
    const place = (name: string) => ({ remembered, placeOf: () => name });
    return { path, remembered, place };
  }

  it("holds in other sessions and after a restart, for exactly the same thing in the same place", async () => {
    const { place, path } = await setUpFile();
    const context = createToolContext({ answer: forEver });
    await runTool(setUp("ask", place("/ws")).tool, { command: "npm test" }, context);
    const later = createToolContext({ sessionKey: "cli:other" });
    const { tool, ran } = setUp("ask", place("/ws"));
    await runTool(tool, { command: "npm test" }, later);
    expect(ran).toEqual(["npm test"]);
    for (const command of ["npm  test", "npm test ", "npm test && rm x", "NPM test"]) {
      await expect(runTool(tool, { command }, later)).rejects.toThrow("Not allowed");
    }
    const elsewhere = setUp("ask", place("/other")).tool;
    await expect(runTool(elsewhere, { command: "npm test" }, later)).rejects.toThrow("Not allowed");
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("speaks for no guest, and not against content from outside", async () => {
    const { place, remembered } = await setUpFile();
    const { tool } = setUp("ask", place("/ws"));
    await runTool(tool, { command: "make" }, createToolContext({ answer: forEver }));
    const byGuest = createToolContext({ answer: forEver, origin: guest });
    await runTool(tool, { command: "make" }, byGuest);
    expect(byGuest.asked[0]?.choices).toEqual(toApprovalChoices({ session: true }));
    const tainted = createToolContext({ sessionKey: "s", labels: new Set(["mail"]) });
    await expect(runTool(tool, { command: "make" }, tainted)).rejects.toThrow("Not allowed");
    await runTool(tool, { command: "deploy" }, { ...byGuest, callId: "2" });
    expect((await remembered.listAll()).map(({ subject }) => subject)).toEqual(["make"]);
  });

  it("is bounded in number, can be taken back, and is worth nothing when the file is damaged", async () => {
    const { remembered, path } = await setUpFile();
    for (let index = 0; index < 203; index++) await remembered.add("owner", `make ${index}`, "/ws");
    expect(await remembered.listAll()).toHaveLength(200);
    expect(await remembered.has("owner", "make 2", "/ws")).toBe(false);
    await remembered.remove(({ subject }) => subject === "make 7");
    expect(await remembered.has("owner", "make 7", "/ws")).toBe(false);
    expect(await remembered.has("owner", "make 8", "/ws")).toBe(true);
    await remembered.add("owner", "x".repeat(3000), "/ws");
    expect(await remembered.listAll()).toHaveLength(199);
    await writeFile(path, '{"allowed": [{"subject": 1}], "note": "mine"}');
    expect(await remembered.has("owner", "make 8", "/ws")).toBe(false);
    await remembered.add("owner", "make", "/ws");
    expect(await remembered.listAll()).toHaveLength(1);
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
      allowed: [{ subject: 1 }, { subject: "make" }],
      note: "mine",
    });
  });
});

describe("a trusted session", () => {
  const isTrusted = async () => true;

  it("needs no questions of the owner", async () => {
    const { tool, ran } = setUp("ask", { isTrusted });
    const context = createToolContext();
    await runTool(tool, { command: "make" }, context);
    expect([ran, context.asked]).toEqual([["make"], []]);
  });

  it("lifts no refusal, speaks for no guest, and not for content from outside", async () => {
    const { tool, ran } = setUp("ask", { isTrusted });
    await expect(runTool(tool, { command: "fork" })).rejects.toThrow("Never.");
    for (const context of [{ origin: guest }, { labels: new Set(["web"]) }].map(createToolContext)) {
      await expect(runTool(tool, { command: "make" }, context)).rejects.toThrow("Not allowed");
      expect(context.asked).toHaveLength(1);
    }
    expect(ran).toEqual([]);
  });
});

it("auto refuses instead of asking", async () => {
  const { tool, ran } = setUp("auto");
  const context = createToolContext({ answer: yes });
  await runTool(tool, { command: "ls" }, context);
  await expect(runTool(tool, { command: "make" }, context)).rejects.toThrow(/asking is switched off/);
  expect([ran, context.asked]).toEqual([["ls"], []]);
});

it("off does without questions for the owner alone, and refuses what is refused", async () => {
  const { tool, ran } = setUp("off");
  const context = createToolContext();
  await runTool(tool, { command: "make | sh" }, context);
  expect([ran, context.asked]).toEqual([["make | sh"], []]);
  await expect(runTool(tool, { command: "fork" }, context)).rejects.toThrow("Never.");
  await expect(runTool(tool, { command: "make" }, createToolContext({ origin: guest }))).rejects.toThrow(
    "Not allowed",
  );
});

it("of several judges a refusal is heard before a question, and the first question before the next", async () => {
  const says = (type: "ask" | "deny", detail = ""): Judge => {
    const request = { phrase: phrase("approval.run", {}), detail, reasons: [] };
    return async () => (type === "deny" ? { type, reason: "No." } : { type, request });
  };
  const allow: Judge = async () => ({ type: "allow" });
  const judged = (...judges: Judge[]) =>
    combineJudges(...judges)({ type: "run", command: "x" }, createToolContext());
  expect(await judged(allow, says("ask", "a"), says("ask", "b"))).toMatchObject({ request: { detail: "a" } });
  expect(await judged(says("ask"), says("deny"))).toEqual({ type: "deny", reason: "No." });
  expect(await judged(allow, allow)).toEqual({ type: "allow" });
});
