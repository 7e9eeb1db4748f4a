// A process of its own that serves a durable bus until it is killed: node one-life.ts <home> <script as JSON>.
// The tool `act` writes down each of its calls, and never comes back from one that is asked to hang. It prints each act,
// and with each answer or apology that was stored how many wait to be sent, and how far each message is.
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { buildApp } from "../../src/app/build-app.ts";
import { createWords } from "../../src/i18n/words.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createIds } from "../../src/lib/ids.ts";
import { type CodeScript, createScripted } from "../../src/llm/scripted.ts";
import { defineTool } from "../../src/runner/define-tool.ts";
import type { Tool } from "../../src/runner/tool.ts";
import { StateDatabase } from "../../src/storage/database/state-database.ts";
import { resolveHome } from "../../src/storage/home.ts";
import { DurableBus } from "../../src/storage/queues/durable-bus.ts";

const [home = "", script = "[]", repeat = "never", hangs = ""] = process.argv.slice(2);
const env = { HOME: home, NANOBOT_HOME: home, PATH: process.env.PATH, NANOBOT_MEMORY__AUTO_RECALL: "false" };

const act = defineTool({
  name: "act",
  description: "acts",
  parameters: z.object({ what: z.string() }),
  repeat: repeat as Tool["repeat"],
  async execute({ what }) {
    appendFileSync(join(home, "acts.txt"), `${what}\n`);
    process.stdout.write(`act ${what}\n`);
    if (what === hangs) await new Promise(() => {});
    return { content: `${what} is done` };
  },
});

const state = await StateDatabase.open({ path: join(home, "state.db") });
const ids = createIds(systemClock);
const bus = await DurableBus.open({ state, clock: systemClock, ids });
function tell(): void {
  const rows = state.all<{ state: string }>("SELECT state FROM inbox ORDER BY seq");
  process.stdout.write(`outbox ${bus.outbox.list().length}\ninbox ${rows.map((row) => row.state)}\n`);
}
const [finish, setAside] = [bus.finish.bind(bus), bus.setAside.bind(bus)];
bus.finish = (...given) => finish(...given).then(tell);
bus.setAside = (...given) => setAside(...given).then(tell);
const built = await buildApp({
  paths: resolveHome({ env }),
  env,
  words: createWords("english"),
  provider: createScripted(JSON.parse(script) as CodeScript),
  tools: [act as Tool],
  bus,
});
if (!built.ok) throw new Error(built.problems.join("\n"));
// Nothing else keeps a process alive that waits for a message.
setInterval(() => {}, 60_000);
await built.app.loop.run(new AbortController().signal);
