// The channel for Matrix against a real Synapse. Install it where Python is, and name it:
//   python3 -m venv /tmp/synapse && /tmp/synapse/bin/pip install matrix-synapse
//   SYNAPSE=/tmp/synapse/bin/python npm run test:long -- test/long/matrix-synapse.test.ts
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { matrix } from "../../src/channels/matrix/matrix.ts";
import { startChannel } from "../support/channel-scene.ts";
import { eventually } from "../support/eventually.ts";
import { startSynapse } from "../support/synapse.ts";

const python = process.env.SYNAPSE;
if (python === undefined)
  process.stderr.write(
    "skipped: Matrix against Synapse; the head of test/long/matrix-synapse.test.ts says how to install it\n",
  );

it.runIf(python !== undefined)(
  "Matrix: invited, heard, answered once, edited, with files, in threads, and caught up",
  async () => {
    await using synapse = await startSynapse(python ?? "");
    const ann = await synapse.register("ann");
    const bob = await synapse.register("bob");
    const nano = await synapse.register("nano");
    const config = { homeserver: synapse.url, accessToken: nano.token, streamEditInterval: 0.1 };
    const rules = { allowFrom: [ann.userId] };
    const scene = await startChannel({ kind: matrix, config, rules });
    await eventually(() => scene.manager.health()[0]?.state).toBe("running");

    const room = await ann.createRoom([nano.userId]);
    await eventually(() => ann.members(room)).toContain(nano.userId);
    await ann.say(room, "How are you? 你好吗？");
    const first = await scene.next();
    expect(first).toMatchObject({
      text: "How are you? 你好吗？",
      sessionKey: `matrix:${room}`,
      origin: { role: "owner" },
    });

    const live = { sessionKey: first.sessionKey, turnId: first.id, channel: "matrix", chatId: room };
    scene.bus.publishLive({ ...live, body: { type: "text-delta", text: "Once upon a time there was" } });
    await eventually(() => ann.read(room, nano.userId)).toEqual(["Once upon a time there was"]);
    await scene.answer(first, "**Well**, thanks.", { wasStreamed: true });
    await eventually(() => ann.read(room, nano.userId)).toEqual(["Well, thanks."]);

    const path = join(scene.home, "plot.txt");
    await writeFile(path, "points");
    await ann.sayWithFile(room, "notes.txt", "content");
    const withFile = await scene.next();
    expect(await readFile(withFile.media?.[0] ?? "", "utf8")).toBe("content");
    await scene.answer(withFile, "here", { media: [path] });
    await eventually(() => ann.read(room, nano.userId)).toEqual(["Well, thanks.", "here", "plot.txt"]);

    const group = await ann.createRoom([nano.userId, bob.userId]);
    await bob.join(group);
    await eventually(async () => (await ann.members(group)).length).toBe(3);
    await ann.say(group, "among us");
    const root = await ann.say(group, `${nano.userId}: what time is it`);
    const asked = await scene.next();
    expect(asked).toMatchObject({ text: "what time is it", speaker: "ann" });
    await ann.say(group, `${nano.userId} and here`, {
      "m.relates_to": { rel_type: "m.thread", event_id: root },
    });
    const inThread = await scene.next();
    expect(inThread.sessionKey).toBe(`matrix:${group}:thread:${root}`);
    await scene.answer(inThread, "in the thread");
    await eventually(() => ann.read(group, nano.userId)).toEqual(["in the thread"]);

    const all = [first.id, withFile.id, asked.id, inThread.id];
    await scene.bus.finish(all, []);
    await scene.stop();
    // More than a server tells at once.
    for (let count = 1; count <= 60; count += 1) await ann.say(room, `missed ${count}`);
    const again = await startChannel({ kind: matrix, config, rules, home: scene.home });
    const missed: string[] = [];
    while (missed.length < 60) missed.push((await again.next()).text);
    expect(missed).toEqual(Array.from({ length: 60 }, (_, index) => `missed ${index + 1}`));

    await nano.signOut();
    await eventually(() => again.manager.health()[0]).toMatchObject({
      state: "failed",
      error: { code: "channels.matrix-token" },
    });
  },
);
