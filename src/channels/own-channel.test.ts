import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import {
  type Channel,
  ChannelError,
  type ChannelInbox,
  ChannelSetupError,
  SendError,
} from "../bus/channel.ts";
import type { OutboundPart } from "../bus/types.ts";
import { phrase } from "../i18n/phrase.ts";
import { silentLog } from "../lib/log.ts";
import { readOwnChannel } from "./own-channel.ts";

const schema = z.object({});
const redact = (text: string) => text.replaceAll("s3cret", "***");
const inbox: ChannelInbox = {
  publish: () => Promise.reject(new Error("not used")),
  receive: () => Promise.resolve(true),
  keep: () => Promise.resolve(undefined),
  revise: async () => false,
  choose: async () => false,
  reportAlive() {},
};
const part = { id: "t1:final#0", chatId: "1", text: "hi" } as OutboundPart;

function read(exported: Record<string, unknown>, file = "board.ts", taken: string[] = ["telegram"]) {
  return readOwnChannel(exported, { file, taken, redact });
}

/** What the program makes of what a person's code gave. */
async function make(made: unknown) {
  const clock = createFakeClock();
  const row = read({ board: { schema, create: () => made } });
  if ("kind" in row) throw new Error(row.kind);
  const { create } = await row.load();
  const folder = await createTemporaryFolder();
  const making = Promise.resolve(create({}, { clock, log: silentLog, fetch, folder, commands: [] }));
  return { clock, making };
}

async function makeChannel(channel: Partial<Record<keyof Channel, unknown>>) {
  const { making, clock } = await make({ start: async () => {}, send: async () => ({}), ...channel });
  return { channel: await making, clock };
}

describe("a file with a custom channel", () => {
  const kind = { schema, create: () => ({}) };

  it("is named after itself, and exports exactly one", () => {
    expect(read({ default: kind, same: kind, other: 1 })).toMatchObject({ name: "board", packages: [] });
    expect(read({ kind }, "chat-room")).toMatchObject({ name: "chat-room" });
    for (const odd of [
      {},
      { a: kind, b: { ...kind } },
      { a: { create() {} } },
      { a: { schema } },
      { a: null },
    ])
      expect(read(odd)).toEqual({ kind: "no-export", subject: "board.ts" });
  });

  it("takes no name that is taken or cannot be one", () => {
    for (const name of ["telegram", "cli", "web", "people"])
      expect(read({ kind }, `${name}.ts`)).toEqual({ kind: "taken", subject: name });
    for (const name of ["Board", "my.board", "1st", "x".repeat(40)])
      expect(read({ kind }, `${name}.mjs`)).toEqual({ kind: "bad-name", subject: name });
  });
});

describe("a custom channel", () => {
  it("declares only what it can do, and is known by the name of its file", async () => {
    const { channel } = await makeChannel({ name: "telegram", capabilities: { markup: "html" } });
    expect(channel).toMatchObject({
      name: "board",
      capabilities: { markup: "html", format: "plain", streaming: "none", canAsk: false },
    });
  });

  it.each([
    ["gives nothing", undefined, "channels.custom-no-channel"],
    ["has no send", { start() {} }, "channels.custom-no-channel"],
    [
      "promises what nobody knows",
      { start() {}, send() {}, capabilities: { markup: "pdf" } },
      "channels.custom-capabilities",
    ],
  ])("that %s is refused with the reason", async (_, made, code) => {
    await expect((await make(made)).making).rejects.toMatchObject({ phrase: { code } });
  });

  it("that never comes out of create is given up", async () => {
    const { making, clock } = await make(new Promise(() => {}));
    const refused = expect(making).rejects.toMatchObject({
      phrase: phrase("channels.custom-late", { call: "create", seconds: 10 }),
    });
    await clock.advance(10_001);
    await refused;
  });

  it("that hangs in start is given up, and not started a second time while it hangs", async () => {
    const { channel, clock } = await makeChannel({ start: () => new Promise(() => {}) });
    const { signal } = new AbortController();
    const first = expect(channel.start(inbox, signal)).rejects.toMatchObject({
      phrase: phrase("channels.custom-silent", { seconds: 60 }),
    });
    await clock.advance(60_001);
    await first;
    const second = expect(channel.start(inbox, signal)).rejects.toThrow(ChannelSetupError);
    await clock.advance(10_001);
    await second;
  });

  it("that has reported or received something may stay as long as it likes", async () => {
    for (const sign of ["reportAlive", "receive"] as const) {
      const { channel, clock } = await makeChannel({
        start: (given: ChannelInbox, signal: AbortSignal) => {
          void given[sign]({} as never);
          return new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        },
      });
      const controller = new AbortController();
      const running = channel.start(inbox, controller.signal);
      await clock.advance(600_000);
      controller.abort(new Error("over"));
      await expect(running).resolves.toBeUndefined();
    }
  });

  it("ends quietly with its signal, whatever it throws then", async () => {
    const { channel } = await makeChannel({
      start: (_: unknown, signal: AbortSignal) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject("odd"))),
    });
    const controller = new AbortController();
    const running = channel.start(inbox, controller.signal);
    await Promise.resolve();
    controller.abort(new Error("over"));
    await expect(running).resolves.toBeUndefined();
  });

  it("says by the class of its errors, of another copy too, what to do about them, and no secret", async () => {
    const url = new URL("../bus/channel.ts?copy", import.meta.url).href;
    const copy = (await import(url)) as typeof import("../bus/channel.ts");
    expect(copy.SendError).not.toBe(SendError);
    const text = "s3cret is wrong";
    const start = async (error: unknown) =>
      (await makeChannel({ start: () => Promise.reject(error) })).channel
        .start(inbox, new AbortController().signal)
        .catch((thrown: unknown) => thrown);
    expect(await start(new copy.ChannelSetupError(text))).toEqual(new ChannelSetupError("*** is wrong"));
    expect(await start(new TypeError(text))).toEqual(new ChannelError("*** is wrong"));
    expect(await start(undefined)).toEqual(new ChannelError("undefined"));
    const send = async (error: unknown) =>
      (await makeChannel({ send: () => Promise.reject(error) })).channel
        .send(part)
        .catch((thrown: unknown) => thrown);
    const odd = Object.assign(new copy.SendError(text, { isPermanent: true }), { retryAfterMs: "soon" });
    const refused = await send(odd);
    expect(refused).toBeInstanceOf(SendError);
    expect(refused).toMatchObject({ isPermanent: true, retryAfterMs: undefined, message: "*** is wrong" });
    expect(await send(new copy.SendError(text, { retryAfterMs: 500 }))).toMatchObject({ retryAfterMs: 500 });
    expect(await send(Object.assign(new Error(text), { name: "SendError" }))).not.toBeInstanceOf(SendError);
  });

  it("may answer a part with anything, but not never", async () => {
    const answers: Array<[unknown, object]> = [
      [undefined, {}],
      ["yes", {}],
      [{ platformId: 7 }, { platformId: "7" }],
    ];
    for (const [answer, sent] of answers)
      expect(await (await makeChannel({ send: () => answer })).channel.send(part)).toEqual(sent);
    const { channel, clock } = await makeChannel({ send: () => new Promise(() => {}) });
    const late = expect(channel.send(part)).rejects.toMatchObject({
      phrase: phrase("channels.custom-late", { call: "send", seconds: 60 }),
    });
    await clock.advance(60_001);
    await late;
  });
});
