// A home that was used is moved to another folder. Everything that it keeps about its own files is found there.
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import * as z from "zod";
import type { OutboundPart } from "../src/bus/types.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createIds } from "../src/lib/ids.ts";
import type { ImagePart } from "../src/llm/types.ts";
import { defineTool } from "../src/runner/define-tool.ts";
import type { Tool } from "../src/runner/tool.ts";
import { StateDatabase } from "../src/storage/database/state-database.ts";
import { RememberedApprovals } from "../src/storage/grants/remembered-approvals.ts";
import { TaintedFiles } from "../src/storage/grants/tainted-files.ts";
import { DurableBus } from "../src/storage/queues/durable-bus.ts";
import { createPng } from "./support/images.ts";
import { terminalOrigin } from "./support/origins.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";
import { closeTestGateways, createTestGateway } from "./support/test-gateway.ts";
import { closeWebClients, openWebClient } from "./support/web-client.ts";

afterEach(async () => {
  await closeWebClients();
  await closeTestGateways();
  await closeTestApps();
});

const sessionKey = "web:house";
const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
const browse: Tool = defineTool({
  name: "browse",
  description: "Reads a page.",
  parameters: z.object({}),
  readOnly: true,
  execute: async () => ({ content: "The tower is open.\n".repeat(2_000), labels: ["web:tower.example"] }),
}) as Tool;

async function openBus(home: string) {
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const bus = await DurableBus.open({ state, clock: systemClock, ids: createIds(systemClock) });
  return { bus, close: () => state.close() };
}

const partOf = (media: string[]): OutboundPart => ({
  ...{ id: "T:final#0", channel: "fake", chatId: "room", sessionKey: "fake:room", turnId: "T" },
  ...{ text: "see", media, kind: "message", wasStreamed: false },
});

const labelsIn = (home: string) => new TaintedFiles(join(home, "taint.jsonl")).list();
const webOrigin = { ...terminalOrigin, channel: "web", chatId: "house" };

/** Attachments, an offloaded result, a changed file, a labelled one, a grant, a queued file and an inbound one. */
async function useHome(): Promise<TestApp> {
  const app = await createTestApp(
    [call("browse", {}), call("write_file", { path: "notes.md", content: "changed" }), "done"],
    { tools: [browse] },
  );
  const { home, workspace } = app;
  await mkdir(join(home, "media", "web"), { recursive: true });
  const [picture, letter] = [join(home, "media", "web", "照片 1.png"), join(home, "media", "web", "a.pdf")];
  await writeFile(picture, createPng(30, 20));
  await writeFile(letter, "%PDF-1.7");
  await writeFile(join(workspace, "notes.md"), "as it was");
  await app.loop.processDirect({ sessionKey, text: "Work", media: [picture, letter], origin: webOrigin });
  await new RememberedApprovals(join(home, "approvals.json"), systemClock).add("owner", "make", workspace);
  const { bus, close } = await openBus(home);
  await bus.publishOutbound([partOf([letter])]);
  await bus.publishInbound({
    ...{ sourceKey: "fake:1", sessionKey: "fake:room", text: "Look", media: [picture] },
    origin: { ...webOrigin, channel: "fake", chatId: "room" },
  });
  close();
  return app;
}

it("keeps attachments, undo, labels, grants and queued files when it is moved", async () => {
  const app = await useHome();
  const former = app.home;
  const results = [...(await labelsIn(former)).keys()].filter((path) => path.includes("tool-results"));
  expect(results).toHaveLength(1);
  await app.close();
  const gateway = await createTestGateway(
    { steps: ["Yes."], loop: true },
    {
      tools: [browse],
      async beforeBuild(home) {
        await rm(home, { recursive: true });
        await rename(former, home);
      },
    },
  );
  const { home, provider } = gateway;
  const here = await realpath(home);
  const moved = (path: string) => join(here, relative(former, path));

  // The queued message is answered, and its picture is sent to the model from where it is now.
  await gateway.isAsked(1);
  const content = provider.requests[0]?.messages.at(-1)?.content;
  const picture = fileURLToPath((content?.at(0) as ImagePart | undefined)?.image_url.url ?? "");
  expect(picture.startsWith(join(home, "media"))).toBe(true);
  expect(await readFile(picture)).toEqual(createPng(30, 20));

  // The queued file is handed out to be sent.
  const { bus, close } = await openBus(home);
  const part = await bus.takeOutbound("fake", new AbortController().signal);
  expect(part.media).toEqual([join(home, "media", "web", "a.pdf")]);
  expect(await readFile(part.media[0] ?? "", "utf8")).toBe("%PDF-1.7");
  close();

  // The page shows both attachments.
  const owner = await openWebClient(gateway);
  const { entries } = await owner.ask("chat.open", { sessionKey });
  const attachments = entries.flatMap((entry) => entry.attachments ?? []);
  expect(attachments).toHaveLength(2);
  for (const { url } of attachments) {
    const response = await fetch(gateway.url + url, { headers: { cookie: owner.cookie } });
    expect([url, response.status]).toEqual([url, 200]);
  }

  // Labels of the changed file and of the offloaded result, and what was allowed for this workspace.
  const labels = await labelsIn(home);
  for (const path of [join(here, "workspace", "notes.md"), ...results.map(moved)])
    expect([path, labels.get(path)]).toEqual([path, ["web:tower.example"]]);
  const remembered = new RememberedApprovals(join(home, "approvals.json"), systemClock);
  expect(await remembered.has("owner", "make", gateway.app.workspace)).toBe(true);

  const said = await gateway.app.loop.processDirect({ sessionKey, text: "/undo", origin: webOrigin });
  expect(said.text).toContain("notes.md");
  expect(await readFile(join(home, "workspace", "notes.md"), "utf8")).toBe("as it was");
});

it("reads the absolute paths that earlier versions stored", async () => {
  const home = await createTemporaryFolder({ "media/a.pdf": "%PDF-1.7" });
  const file = join(home, "media", "a.pdf");
  const { bus, close } = await openBus(home);
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  const insert =
    "INSERT INTO outbox (id, channel, chat_id, part, created_at) VALUES (?, 'fake', 'room', ?, 0)";
  const part = partOf([file, "/elsewhere/b.pdf"]);
  await state.write(() => state.run(insert, part.id, JSON.stringify(part)));
  state.close();
  const taken = await bus.takeOutbound("fake", new AbortController().signal);
  expect(taken.media).toEqual([file, "/elsewhere/b.pdf"]);
  close();
  await writeFile(join(home, "taint.jsonl"), `${JSON.stringify({ path: file, labels: ["web:x"] })}\n`);
  expect((await labelsIn(home)).get(file)).toEqual(["web:x"]);
});
