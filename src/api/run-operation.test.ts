import { describe, expect, it } from "vitest";
import * as z from "zod";
import { yesOrNo } from "../bus/ask.ts";
import { phrase } from "../i18n/phrase.ts";
import { fail } from "../i18n/user-error.ts";
import { type Caller, type Operation, type OperationRun, operation } from "./operation.ts";
import { createRunner, type Interaction } from "./run-operation.ts";

const owner: Caller = { person: "owner", role: "owner", requestId: "1" };
const guest: Caller = { person: "ann", role: "guest", requestId: "2" };

const read = operation({
  name: "notes.read",
  about: "Reads.",
  access: "person",
  needs: "home",
  params: z.strictObject({ id: z.string().min(1) }),
  run: (_services, { id }, { person }) => ({ id, person }),
});

const clear = operation({
  name: "notes.clear",
  about: "Asks, then clears.",
  access: "owner",
  needs: "gateway",
  changes: ["memory"],
  params: z.strictObject({}),
  async *run(): OperationRun<{ answer: string | undefined }> {
    yield { type: "progress", phrase: phrase("request.too-late"), done: 1, total: 2 };
    const answer = yield { type: "question", question: { phrase: phrase("choice.yes"), choices: yesOrNo } };
    return { answer };
  },
});

const broken = operation({
  name: "notes.break",
  about: "Fails.",
  access: "owner",
  needs: "home",
  changes: ["memory", "jobs"],
  params: z.strictObject({}),
  run: () => Promise.reject(new Error("a fault of ours")),
});

function setUp() {
  const happened: string[] = [];
  const rows = [read, clear, broken] as unknown as Operation[];
  const run = createRunner({
    operations: new Map(rows.map((row) => [row.name, row])),
    async services(needs) {
      happened.push(`opened ${needs}`);
      if (needs === "assistant") throw fail("gateway.not-running");
      return {} as never;
    },
    lock: {
      async acquire(purpose) {
        happened.push(`locked for ${purpose}`);
        return () => happened.push("released");
      },
      close() {},
    },
    onChange: (topic, { person }) => happened.push(`${topic} changed by ${person}`),
  });
  const call = (name: string, params: unknown, caller = owner, interaction?: Interaction) =>
    run({ name, params }, caller, interaction);
  return { call, happened };
}

describe("an operation", () => {
  it("gets what it needs, its params and its caller, and takes no lock to read", async () => {
    const { call, happened } = setUp();
    expect(await call("notes.read", { id: "x" }, guest)).toEqual({ id: "x", person: "ann" });
    expect(happened).toEqual(["opened home"]);
  });

  it.each([
    ["notes.none", {}, owner, { code: "request.unknown", params: { name: "notes.none" } }],
    ["toString", {}, owner, { code: "request.unknown" }],
    ["notes.clear", {}, guest, { code: "request.owner-only" }],
    ["notes.clear", { surplus: 1 }, guest, { code: "request.owner-only" }],
    ["notes.read", { id: "" }, guest, { code: "request.bad-params" }],
    ["notes.read", null, owner, { code: "request.bad-params" }],
  ])("is refused before anything is opened: %s %j", async (name, params, caller, said) => {
    const { call, happened } = setUp();
    await expect(call(name, params, caller)).rejects.toMatchObject({ name: "UserError", phrase: said });
    expect(happened).toEqual([]);
  });

  it("says at which field its params are wrong", async () => {
    const { call } = setUp();
    await expect(call("notes.read", { id: "" })).rejects.toMatchObject({
      fields: [{ path: "id", phrase: { code: "request.bad-field" } }],
    });
  });

  it("that changes something holds the lock, except while it asks, and viewers are told afterwards", async () => {
    const { call, happened } = setUp();
    const shown: unknown[] = [];
    const asked: unknown[] = [];
    const result = await call("notes.clear", {}, owner, {
      show: (event) => shown.push(event.phrase.code),
      async ask({ choices }) {
        happened.push("asked");
        asked.push(choices.map(({ id }) => id));
        return "yes";
      },
    });
    expect(result).toEqual({ answer: "yes" });
    expect(shown).toEqual(["request.too-late"]);
    expect(asked).toEqual([["yes", "no"]]);
    expect(happened).toEqual([
      "opened gateway",
      ...["locked for notes.clear", "released", "asked", "locked for notes.clear", "released"],
      "memory changed by owner",
    ]);
  });

  it.each(["maybe", undefined])("takes %j for a no", async (given) => {
    const { call } = setUp();
    expect(await call("notes.clear", {}, owner, { ask: async () => given })).toEqual({ answer: "no" });
  });

  it("is refused when it asks and nobody can be asked, and lets go of the lock", async () => {
    const { call, happened } = setUp();
    await expect(call("notes.clear", {})).rejects.toMatchObject({ phrase: { code: "request.needs-answer" } });
    expect(happened).toContain("released");
  });

  it("that fails lets go of the lock, and viewers look again", async () => {
    const { call, happened } = setUp();
    await expect(call("notes.break", {})).rejects.toThrow("a fault of ours");
    expect(happened.slice(2)).toEqual(["released", "memory changed by owner", "jobs changed by owner"]);
  });
});
