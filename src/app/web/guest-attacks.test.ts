// A guest who has a cookie and asks everything there is, about everyone: what is the owner's alone is refused, and of
// what is anyone else's no word arrives, in no answer and in no event.

import { execFileSync } from "node:child_process";
import { mkdir, readdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createPng } from "../../../test/support/images.ts";
import { appendLegacyLine } from "../../../test/support/legacy-line.ts";
import {
  closeTestGateways,
  createTestGateway,
  type TestGateway,
} from "../../../test/support/test-gateway.ts";
import { closeWebClients, openWebClient, type WebClient } from "../../../test/support/web-client.ts";
import type { OperationName } from "../../server/protocol.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
});

/** Everything that can be asked, and who may. A new method has to be put into one of the two. */
const methods: Record<OperationName, "owner" | "guest"> = {
  "homes.list": "owner",
  "homes.add": "owner",
  "homes.remove": "owner",
  "channels.list": "owner",
  "channels.form": "owner",
  "channels.save": "owner",
  "channels.check": "owner",
  "pairing.list": "owner",
  "pairing.approve": "owner",
  "pairing.deny": "owner",
  "pairing.revoke": "owner",
  "mcp.list": "owner",
  "mcp.add": "owner",
  "mcp.remove": "owner",
  "mcp.test": "owner",
  "outbox.send": "owner",
  "mcp.login": "owner",
  "mcp.finish-login": "owner",
  "mcp.logout": "owner",
  "extensions.list": "owner",
  "extensions.allow": "owner",
  "extensions.remove": "owner",
  "outbox.list": "owner",
  "outbox.retry": "owner",
  "outbox.drop": "owner",
  "config.read": "owner",
  "config.confirm": "owner",
  "config.patch": "owner",
  "models.state": "owner",
  "models.hosts": "owner",
  "models.local": "owner",
  "models.list": "owner",
  "models.login": "owner",
  "models.login-state": "owner",
  "models.logout": "owner",
  "models.test": "owner",
  "models.use": "owner",
  "gateway.status": "owner",
  "gateway.stop": "owner",
  "gateway.restart": "owner",
  "web.link": "owner",
  "web.sign-out": "owner",
  "tokens.add": "owner",
  "tokens.list": "owner",
  "tokens.remove": "owner",
  "triggers.add": "owner",
  "triggers.list": "owner",
  "triggers.fire": "owner",
  "triggers.remove": "owner",
  "logs.follow": "owner",
  "context.inspect": "guest",
  "context.request": "owner",
  "context.text": "owner",
  "goals.list": "guest",
  "goals.start": "guest",
  "goals.set": "guest",
  "goals.plan": "guest",
  "jobs.list": "guest",
  "jobs.chats": "owner",
  "questions.answer": "guest",
  ping: "guest",
  "jobs.preview": "owner",
  "jobs.read": "owner",
  "jobs.calendar": "owner",
  "jobs.add": "guest",
  "jobs.edit": "owner",
  "jobs.run": "guest",
  "jobs.enable": "guest",
  "jobs.settle": "guest",
  "jobs.remove": "guest",
  "jobs.undo": "guest",
  "jobs.restore": "owner",
  "heartbeat.read": "owner",
  "heartbeat.aim": "owner",
  "skills.list": "owner",
  "skills.show": "owner",
  "skills.extensions": "owner",
  "move-in.find": "owner",
  "move-in.plan": "owner",
  "move-in.run": "owner",
  "skills.stage": "owner",
  "skills.add": "owner",
  "skills.discard": "owner",
  "skills.allow": "owner",
  "skills.grant": "owner",
  "skills.switch": "owner",
  "skills.remove": "owner",
  "skills.revisions": "owner",
  "skills.revise": "owner",
  "terminal.ask": "owner",
  "terminal.run": "owner",
  "terminal.cancel": "owner",
  "usage.report": "owner",
  "usage.budgets": "owner",
  "usage.csv": "owner",
  "usage.summary": "guest",
  "chat.answer": "guest",
  "chat.models": "guest",
  "chat.choose-model": "owner",
  "chat.compact": "guest",
  "chat.new": "guest",
  "chat.status": "guest",
  "chat.save": "guest",
  "chat.undo": "guest",
  "trust.give": "owner",
  "trust.end": "owner",
  "trust.forget": "owner",
  "subagents.list": "guest",
  "subagents.stop": "guest",
  "chat.list": "guest",
  "chat.open": "guest",
  "chat.entry": "guest",
  "chat.send": "guest",
  "chat.stop": "guest",
  "chat.label": "guest",
  "chat.seen": "guest",
  "chat.title": "guest",
  "chat.switch": "guest",
  "files.list": "guest",
  "files.find": "guest",
  "files.read": "guest",
  "files.changes": "guest",
  "files.diff": "guest",
  "files.add": "guest",
  "files.rename": "guest",
  "files.remove": "guest",
  "files.restore": "guest",
  "chat.remove": "guest",
  "chat.recover": "guest",
  "chat.search": "guest",
  "chat.find": "guest",
  "chat.branch": "guest",
  "chat.rewind": "guest",
  "chat.export": "guest",
  "chat.complete": "guest",
  "file.put": "guest",
  "file.transcribe": "guest",
  "memory.files": "guest",
  "memory.read": "guest",
  "memory.save": "guest",
  "memory.log": "guest",
  "memory.change": "guest",
  "memory.restore": "guest",
  "memory.why": "guest",
  "memory.search": "guest",
  "memory.preview": "guest",
  "memory.forget": "guest",
  "memory.dream": "guest",
};
const allowed = (who: "owner" | "guest") =>
  (Object.keys(methods) as OperationName[]).filter((name) => methods[name] === who);

const secret = "zebrafinch";

async function say(client: WebClient, sessionKey: string, text: string, files: string[] = []) {
  const { turnId } = await client.ask("chat.send", { sessionKey, text, files });
  await client.waitFor(
    ({ event }) => event.type === "shown" && event.shown.type === "settled" && event.shown.turnId === turnId,
  );
  return turnId;
}

async function openHouse() {
  const gateway = await createTestGateway({ steps: ["Yes."], loop: true });
  const owner = await openWebClient(gateway);
  const ann = await openWebClient(gateway, { person: "ann", role: "guest" });
  const bob = await openWebClient(gateway, { person: "bob", role: "guest" });
  return { gateway, owner, ann, bob };
}

/** The answer, whatever it is, as text. */
function ask(client: WebClient, method: OperationName, params: unknown): Promise<string> {
  return client.ask(method, params as never).then(
    (result) => JSON.stringify(result),
    (error: { problem?: unknown }) => JSON.stringify(error.problem),
  );
}

describe("a guest", () => {
  it("is refused whatever is the owner's, before anyone looks at what was asked", async () => {
    const { bob } = await openHouse();
    const codeOf = async (name: OperationName, params: object) =>
      JSON.parse(await ask(bob, name, params)).code as string;
    for (const name of allowed("owner"))
      expect([name, await codeOf(name, { sessionKey: "web:bob:1" })]).toEqual([name, "request.owner-only"]);
    for (const name of allowed("guest"))
      expect([name, await codeOf(name, { x: 1 })]).toEqual([name, "request.bad-params"]);
  });

  it("gets no word of anyone else's, whatever is named in a request", async () => {
    const { owner, ann, bob, gateway } = await openHouse();
    const fileId = "file-of-ann-1";
    const data = Buffer.from(secret).toString("base64");
    await ann.ask("file.put", { fileId, name: "a.txt", offset: 0, data, isLast: true });
    const hers = await say(ann, "web:ann:1", `my word is ${secret}`, [fileId]);
    const mine = await say(owner, "web:house", `my word is ${secret}, too`);
    await say(ann, "web:ann:2", secret);
    const { undo } = await ann.ask("chat.remove", { sessionKey: "web:ann:2" });
    const { hash } = await owner.ask("memory.read", { path: "USER.md" });
    await owner.ask("memory.save", { path: "USER.md", text: `- ${secret}\n`, hash });
    await ann.ask("memory.save", { path: "memory/MEMORY.md", text: `- ${secret}\n`, hash: "" });
    const versions = await Promise.all([owner, ann].map((each) => each.ask("memory.log", {})));
    const ids = versions.flatMap((log) => log.versions.map(({ id }) => id));
    expect(ids.length).toBeGreaterThan(1);
    await say(bob, "web:bob:1", "hello");
    bob.events.length = 0;

    const sessionKeys = [
      ...["web:ann:1", "web:house", "web:ann:2", "web:ann:1@20260801T100000000", "cli:direct", "heartbeat"],
      ...["web:bob", "web:bob:", "web:bob:1:2", "web:bob:../ann:1", "web:BOB:1", "WEB:bob:1", " web:bob:1"],
      ...[
        "web:bob:\u0000",
        "web:bob:１",
        "web:bobby:1",
        "subagent:x",
        undo,
        `../.trash/${undo}`,
        "../../config",
      ],
    ];
    const entryIds = [hers, `${hers}.0`, mine, `${mine}.0`, `${hers}@0`];
    const paths = [
      ...["../ann/memory/MEMORY.md", "people/ann/memory/MEMORY.md", "../../USER.md", "/etc/hostname"],
      ...["memory/../../ann/memory/MEMORY.md", "SOUL.md", "memory/2026-01-01.md/../../../../USER.md"],
    ];
    const tries: Partial<Record<OperationName, unknown[]>> = {
      "chat.list": [{}, { archived: true }],
      "chat.open": sessionKeys.flatMap((sessionKey) => [{ sessionKey }, { sessionKey, around: hers }]),
      "chat.entry": sessionKeys.flatMap((sessionKey) => entryIds.map((entryId) => ({ sessionKey, entryId }))),
      "chat.send": [
        ...sessionKeys.map((sessionKey) => ({ sessionKey, text: "hi" })),
        { sessionKey: "cli:direct", text: "hi", channel: "cli" },
        ...[fileId, `../ann/${fileId}`, "file-of"].map((id) => ({
          sessionKey: "web:bob:1",
          text: "hi",
          files: [id],
        })),
      ],
      "chat.stop": sessionKeys.map((sessionKey) => ({ sessionKey })),
      "chat.label": sessionKeys.map((sessionKey) => ({ sessionKey, title: "x" })),
      "chat.remove": sessionKeys.map((sessionKey) => ({ sessionKey })),
      "chat.recover": [{ undo }, { undo: `../${undo}` }, { undo: undo.replace(/\..*/, ".jsonl") }],
      "chat.search": [{ query: secret }, { query: `"${secret}" OR my`, limit: 100 }, { query: "*" }],
      "chat.find": entryIds.map((reference) => ({ reference })),
      "chat.branch": sessionKeys.flatMap((sessionKey) => [{ sessionKey }, { sessionKey, before: hers }]),
      "files.list": paths.map((path) => ({ path })),
      "files.find": [{ query: secret }, { query: "" }],
      "files.read": paths.map((path) => ({ path })),
      "files.changes": sessionKeys.map((sessionKey) => ({ sessionKey, turnId: hers })),
      "files.diff": sessionKeys.flatMap((sessionKey) =>
        paths.map((path) => ({ sessionKey, turnId: hers, path })),
      ),
      "files.add": [{ fileId, folder: "", name: "x" }],
      "files.rename": paths.map((path) => ({ path, to: "mine.md" })),
      "files.remove": paths.map((path) => ({ path })),
      "files.restore": paths.map((path) => ({ path, undo: "0-000000000000" })),
      "chat.seen": sessionKeys.map((sessionKey) => ({ sessionKey })),
      "chat.title": sessionKeys.map((sessionKey) => ({ sessionKey })),
      "chat.switch": sessionKeys.flatMap((sessionKey) =>
        sessionKeys.map((version) => ({ sessionKey, entryId: hers, version })),
      ),
      "jobs.settle": sessionKeys.map((sessionKey) => ({ sessionKey, turnId: hers })),
      "jobs.undo": sessionKeys.map((sessionKey) => ({ sessionKey, turnId: hers })),
      "goals.list": [{}],
      "chat.rewind": sessionKeys.map((sessionKey) => ({ sessionKey, entryId: hers })),
      "chat.export": sessionKeys.flatMap((sessionKey) => [
        { sessionKey, format: "json" },
        { sessionKey, format: "markdown" },
      ]),
      "chat.complete": [{}],
      "file.transcribe": [{ fileId }],
      "memory.files": [{}],
      "memory.read": paths.map((path) => ({ path })),
      "memory.save": paths.map((path) => ({ path, text: "mine", hash: "" })),
      "memory.log": [{ most: 500 }],
      "memory.change": ids.map((id) => ({ id })),
      "memory.restore": ids.map((id) => ({ id })),
      "memory.why": [{ text: secret }],
      "memory.search": [{ query: secret }],
      "memory.preview": [{ words: secret }],
      "memory.forget": [{ words: secret, digest: "0".repeat(64) }],
    };
    const untried = ["chat.answer", "file.put", "memory.dream"];
    expect(allowed("guest").filter((name) => tries[name] === undefined)).toEqual(
      expect.arrayContaining(untried),
    );
    for (const [name, attempts] of Object.entries(tries) as Array<[OperationName, unknown[]]>)
      for (const params of attempts)
        expect([name, params, await ask(bob, name, params)]).not.toEqual([
          name,
          params,
          expect.stringContaining(secret),
        ]);
    expect(JSON.stringify(bob.events)).not.toContain(secret);
    expect(JSON.stringify(bob.events)).not.toMatch(/\bann\b/);
    const { sessions } = await owner.ask("chat.list", {});
    expect(sessions.map(({ key }) => key).sort()).toEqual(["web:ann:1", "web:bob:1", "web:house"]);
    expect((await ann.ask("chat.open", { sessionKey: "web:ann:1" })).entries).toHaveLength(2);
    expect((await owner.ask("memory.read", { path: "USER.md" })).text).toContain(secret);
    expect(await readdir(join(gateway.app.workspace, "people"))).not.toContain("..");
  });
});

describe("a file of a message", () => {
  const get = (gateway: TestGateway, client: WebClient, url: string) =>
    fetch(gateway.url + url, { headers: { cookie: client.cookie } });

  /** A message of the owner's that has a picture of the workspace with it. */
  async function showPicture(path: string, { gateway, owner }: Awaited<ReturnType<typeof openHouse>>) {
    const { workspace } = gateway.app;
    await writeFile(join(workspace, path), createPng(4, 4));
    const sessionKey = "web:house";
    const text = `look\n[Attachment: ${join(workspace, path)} (image/png, 1 B)]`;
    await appendLegacyLine(gateway.app.sessions, sessionKey, text);
    const { entries } = await owner.ask("chat.open", { sessionKey });
    return { file: join(workspace, path), url: entries[0]?.attachments?.[0]?.url ?? "" };
  }

  it("is kept by no cache, and its name cannot be turned around", async () => {
    const house = await openHouse();
    const { url } = await showPicture("photo\u202egnp.exe", house);
    const response = await get(house.gateway, house.owner, url);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-disposition")).toBe("inline; filename*=UTF-8''photo_gnp.exe");
  });

  it("is nothing once a link out, a pipe or a folder is in its place, and nobody waits for it", async () => {
    const house = await openHouse();
    const { gateway, owner } = house;
    const { file, url } = await showPicture("x.png", house);
    expect((await get(gateway, owner, url)).status).toBe(200);
    const replacements = [
      () => symlink(join(gateway.home, "config.json"), file),
      () => symlink("/etc/hostname", file),
      () => mkdir(file),
      async () => execFileSync("mkfifo", [file]),
    ];
    for (const replace of replacements) {
      await rm(file, { recursive: true });
      await replace();
      const answers = await Promise.all(Array.from({ length: 8 }, () => get(gateway, owner, url)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
  });

  it("is found by no other address", async () => {
    const house = await openHouse();
    const { gateway, bob } = house;
    const { url } = await showPicture("x.png", house);
    const [, , , session = "", entry = ""] = url.split("/");
    const bobs = Buffer.from("web:bob:1").toString("base64url");
    const places = [
      ...[`${session}/${entry}/0`, `${bobs}/${entry}/0`, `${bobs}/${entry}/..%2f0`, `-/${entry}/0`],
      ...[`${session}/${entry}/-1`, `${session}/${entry}/constructor`, `..%2f..%2fconfig.json/${entry}/0`],
    ];
    for (const place of places)
      expect([place, (await get(gateway, bob, `/api/media/${place}`)).status]).toEqual([place, 404]);
    await say(bob, "web:bob:1", "hello");
    const text = "see\n[Attachment: /proc/1/root/x (a, 1 B)]\n[Attachment: /a\u0000b (a, 1 B)]";
    await appendLegacyLine(gateway.app.sessions, "web:bob:1", text);
    const { entries } = await bob.ask("chat.open", { sessionKey: "web:bob:1" });
    const named = entries.flatMap(({ attachments = [] }) => attachments);
    expect(named).toHaveLength(2);
    for (const { url: each } of named) expect((await get(gateway, bob, each)).status).toBe(404);
  });
});

describe("files that are sent and never finished", () => {
  const data = Buffer.from("x").toString("base64");
  const begin = (client: WebClient, number: number) =>
    client.ask("file.put", { fileId: `unfinished-${number}`, name: "x", offset: 0, data, isLast: false });

  it("are few, and gone after a day", async () => {
    const { gateway, bob } = await openHouse();
    for (let number = 0; number < 20; number++) await begin(bob, number);
    await expect(begin(bob, 20)).rejects.toMatchObject({ problem: { code: "upload.too-many" } });
    const folder = join(gateway.home, "media", "people", "bob");
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    for (const name of await readdir(folder)) await utimes(join(folder, name), yesterday, yesterday);
    await begin(bob, 21);
    expect(await readdir(folder)).toEqual(["unfinished-21.part"]);
  });

  it("leave a long Chinese name whole enough to be opened", async () => {
    const { bob } = await openHouse();
    const name = `${"很长的文件名".repeat(40)}.pdf`;
    const file = { fileId: "0123456789".repeat(6), name, offset: 0, data, isLast: true };
    expect(await bob.ask("file.put", file)).toEqual({ received: 1 });
  });
});
