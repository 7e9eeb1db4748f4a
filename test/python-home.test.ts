// The way back: a home that this program has used is read by a reader that knows the formats of the Python original only.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { eventually } from "./support/eventually.ts";
import { listFiles } from "./support/fixture-home.ts";
import { readPythonHome } from "./support/python-home-reader.ts";
import { type PythonSession, readPythonSession } from "./support/python-session-reader.ts";
import { perform } from "./support/scope-actions.ts";
import { openHomeHere } from "./support/scope-homes.ts";
import { keyOf, placeNames, places } from "./support/scope-places.ts";
import { openScopeScene, type ScopeScene } from "./support/scope-scene.ts";

/** Two people, a group, jobs, a branch, something taken back, undone, archived and recalled, a file and a stranger. */
async function useHome(scene: ScopeScene): Promise<string> {
  for (const place of placeNames) {
    for (const each of ["say", "plan"] as const) await perform(scene, { do: each, place, byOwner: false });
    await scene.use(place, "write_file", { path: "notes.md", content: places[place].secret });
    await scene.say(place, place === "group" ? "/undo" : "/new");
    // What is found by a search is there to be recalled.
    await scene.say(place, "/search code word");
    await scene.say(place, `What is my code word, ${places[place].secret}?`);
  }
  // What is found too late for a message comes with a later one.
  await eventually(async () => {
    await scene.say("guest", `What is my code word, ${places.guest.secret}?`);
    const sessions = await readSessions(scene.home.home);
    return sessions.some(({ messages }) => messages.some((message) => "recalled" in message));
  }).toBe(true);
  const { jobs } = await scene.home.client.call("jobs.list", {});
  const job = jobs.find(({ chatId }) => chatId === "1");
  await scene.runJob("owner", job?.id ?? "", "owner");
  const data = Buffer.from("a letter").toString("base64");
  await scene.ask("guest", "file.put", {
    fileId: "letter-1",
    name: "letter.txt",
    offset: 0,
    data,
    isLast: true,
  });
  const branched = await scene.ask("guest", "chat.branch", { sessionKey: keyOf("guest") });
  const branch = branched?.sessionKey ?? "";
  await scene.write("guest", branch, `Read this, ${places.guest.secret}.`, ["letter-1"]);
  await scene.write("guest", branch, "And forget this.");
  const { entries = [] } = (await scene.ask("guest", "chat.open", { sessionKey: branch })) ?? {};
  const entryId = entries.findLast(({ role }) => role === "user")?.id ?? "";
  await scene.ask("guest", "chat.rewind", { sessionKey: branch, entryId });
  await scene.ask("guest", "chat.label", { sessionKey: branch, title: "Letters", isPinned: true });
  await scene.knock(7);
  await scene.knock(8);
  const { pending } = await scene.home.client.call("pairing.list", {});
  const code = pending.find(({ senderId }) => senderId === "7")?.code ?? "";
  await scene.home.client.call("pairing.approve", { code, role: "guest", person: "ann" });
  const change = { path: ["agents", "defaults", "maxToolIterations"], value: 50 };
  await scene.home.client.call("config.patch", { changes: [change] });
  await scene.restart();
  return branch;
}

/** All of them, also those that were closed, which the original does not list. */
async function readSessions(home: string): Promise<PythonSession[]> {
  const folder = join(home, "sessions");
  const paths = (await listFiles(folder)).filter((path) => path.endsWith(".jsonl"));
  return paths.map((path) => readPythonSession(join(folder, path)));
}

describe("a home that was used by this program", { timeout: 60_000 }, () => {
  it("is read by the Python original: conversations, jobs, summaries, who has access, and the config", async () => {
    await using scene = await openScopeScene(openHomeHere);
    const branch = await useHome(scene);
    for (const place of placeNames) await scene.say(place, `Goodbye, ${places[place].secret}.`);
    const { home, requests } = scene.home;
    const archived = [`The code word is ${places.owner.secret}.`];
    await eventually(() => readPythonHome(home).history).toEqual(archived);
    const { sessions, jobs, approved, pending } = readPythonHome(home);

    for (const place of placeNames) {
      const sent = requests.findLast(({ messages }) =>
        String(messages.at(-1)?.content).includes(`Goodbye, ${places[place].secret}`),
      );
      const said = sent?.messages.filter(({ role }) => role !== "system") ?? [];
      const read = sessions.get(keyOf(place))?.messages ?? [];
      const toPair = ({ role, content }: { role?: unknown; content?: unknown }) => [role, content ?? ""];
      expect(read.map(toPair)).toEqual([...said.map(toPair), ["assistant", "Noted."]]);
    }
    const fields = new Set([...sessions.values()].flatMap(({ messages }) => messages.flatMap(Object.keys)));
    expect([...fields]).toEqual(
      expect.arrayContaining(["kind", "said", "attachments", "recalled", "usage", "final", "latency_ms"]),
    );
    expect(sessions.get(branch)?.metadata).toMatchObject({ title: "Letters", scope: "person:telegram-2" });
    expect(JSON.stringify(sessions.get(branch)?.messages)).not.toContain("And forget this.");
    expect(jobs.map(({ sessionKey }) => sessionKey)).toEqual(expect.arrayContaining(placeNames.map(keyOf)));
    expect(jobs.find(({ sessionKey }) => sessionKey === keyOf("owner"))?.lastStatus).toBe("ok");
    expect(approved).toEqual({ telegram: ["7"] });
    expect(pending).toHaveLength(1);
    // Also what it does not list is whole.
    await readSessions(home);
  });
});
