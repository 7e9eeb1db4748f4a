// What is typed to learn the exit codes and JSON shapes of every command: lines in homes of different kinds, each home
// fresh, its lines one after the other. `{{id}}` is what the last line with `id =` before it gave; others are paths.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface CliScene {
  name: "used" | "served" | "absent" | "mistyped";
  lines: string[];
}

/** Why an action has no line that does it. */
export const leftOut: Record<string, string> = {
  "gateway run": "serves until it is ended; `gateway start` runs it",
  "skills grant": "new since 0.1.0, as the next: test/skill-grants.test.ts",
  "skills revoke": "new since 0.1.0",
  provider: "needs a person at a page of the host: src/agent/models/sign-ins.test.ts",
  "provider login": "needs a person at a page of the host",
  "provider logout": "the same",
  "skills revisions": "new since 0.1.0, as the next two: test/skill-revisions.test.ts",
  "skills apply": "needs a proposal of Dream",
  "skills refuse": "needs a proposal of Dream",
  "mcp login": "new since 0.1.0, as the next two: test/mcp-sign-in.test.ts and test/mcp-serve.test.ts",
  "mcp logout": "needs a server to sign in to",
  "mcp serve": "serves until its input ends",
  acp: "new since 0.1.0: test/acp.test.ts",
  cluster: "needs a database, as do its actions: test/long/cluster-program.test.ts",
  "cluster init": "needs a database",
  "cluster worker": "needs a database",
  "cluster status": "needs a database",
  "cluster homes": "needs a database",
  "cluster doctor": "needs a database",
  "cluster rotate-key": "needs a database",
  "gateway uninstall-service": "changes the machine that runs the tests",
};

const used = `
agent -m "Hello. #x1" --json
agent -m "Hello again. #x2"
agent -m /help --json
status --json
status
move-in --from templates --dry-run --json
context --json
context -m Hello --raw
context diff --json
skills list --json
skills show mine --json
skills allow mine --yes --json
skills disable mine --json
skills enable mine --json
skills check {{skill}} --json
skills add {{skill}} --yes --json
skills remove other --yes --json
skills show nothing --json
memory search amberkestrel --json
memory show --json
memory why "Likes tea." --json
memory forget "Likes tea." --yes --json
id = memory log --json
memory diff --json
memory restore {{id}} --json
memory dream --json
memory diff nothing --json
mcp add good --no-test -- node {{server}} good
mcp list --json
mcp test good --json
mcp remove good --json
mcp test nothing --json
tools list --json
tools allow mine --yes --json
tools remove mine --json
tools allow nothing --yes --json
channels list --json
channels allow mine --yes --json
channels block mine --json
channels allow nothing --yes --json
cron list --json
id = cron add -m Tea --every 30m --json
cron run {{id}} --json
cron pause {{id}} --json
cron resume {{id}} --json
cron history --json
cron remove {{id}} --json
cron remove nothing --json
homes --json
homes list --json
homes add work --json
homes add Work --json
homes remove work --json --yes
triggers list --json
triggers add build --json
trigger build exit-1 --json
triggers remove build --json
triggers remove nothing --json
pairing list --json
pairing approve AAAA-AAAA --person bob --json
pairing deny BBBB-BBBB --json
pairing revoke telegram 2000 --json
pairing approve NONE-NONE --json
outbox list --json
outbox retry dead-1 --json
outbox drop dead-2 --json
outbox drop nothing --json
usage --json
usage --by model --json
usage --csv
doctor --json
gateway status --json
gateway status
gateway stop --json
gateway logs --json
gateway install-service --dry-run --json
web --json
web token add tea jobs.list jobs.add --json
web token add tea jobs.list --json
web token list --json
web token remove tea --json
web token remove tea --json
onboard --yes --provider custom --api-base http://127.0.0.1:9/v1 --model m --no-test --skip-bootstrap
backup {{folder}}/copy.tar.gz --json
backup {{folder}}/copy.tar.gz --json
restore {{folder}}/copy.tar.gz
restore {{folder}}/copy.tar.gz --yes
restore {{folder}}/nothing.tar.gz --yes
`;

const served = `
gateway start --json
gateway start --json
gateway status --json
web --json
web --guest bob --json
web --sign-out --json
web token add tea jobs.list jobs.add --json
web token --json
web token remove tea --json
agent -m "Hello. #x1" --json
context --json
cron add -m Tea --every 30m --json
cron list --json
pairing list --json
outbox list --json
usage --json
memory search amberkestrel --json
restore {{folder}}/nothing.tar.gz --yes
gateway stop --json
`;

/** There is no home, for each of them, and no gateway. */
const absent = `
agent -m Hello --json
status --json
move-in --json
context --json
context diff --json
skills list --json
memory search tea --json
memory log --json
memory dream --json
mcp list --json
acp nonsense
homes --json
tools list --json
channels list --json
gateway status --json
gateway stop --json
gateway logs --json
web --json
web token list --json
cron list --json
triggers list --json
trigger build exit-1 --json
pairing list --json
outbox list --json
usage --json
cluster --json
provider logout --json
doctor --json
backup {{folder}}/copy.tar.gz --json
restore {{folder}}/nothing.tar.gz --yes
onboard --yes --provider custom --api-base http://127.0.0.1:9/v1 --model m --no-test --skip-bootstrap
onboard --yes --no-test
`;

const mistyped = `
--nonsense
nonsense
agent --nonsense --json
agent --nonsense
agent nonsense
status --nonsense
move-in --nonsense
status nonsense --json
context nonsense
context --nonsense --json
skills nonsense
skills show --json
skills add --json
memory
memory nonsense
memory search --json
memory restore --json
memory forget --json
acp nonsense
mcp nonsense
mcp add --json
mcp remove --json
mcp test nonsense
tools nonsense
tools allow --json
tools remove --json
channels nonsense
channels allow --json
channels block --json
gateway nonsense
gateway --port nonsense
web nonsense
web token nonsense
web token add tea --json
web token remove --json
cron nonsense
cron add --json
cron add -m x --every 5x --json
cron add -m x --at 2001-01-01T09:00 --json
cron remove --json
cron run --json
cron pause --json
cron resume --json
triggers nonsense
triggers add --json
triggers remove --json
trigger nothing x --json
pairing nonsense
pairing approve --json
pairing deny --json
pairing revoke --json
outbox nonsense
outbox retry --json
outbox drop --json
usage --by nonsense
usage --since nonsense --json
usage nonsense
cluster nonsense
homes nonsense
provider nonsense
doctor nonsense
backup a b
restore
restore --nonsense
onboard
onboard nonsense
`;

const toLines = (text: string) => text.trim().split("\n");

export const cliScenes: readonly CliScene[] = [
  { name: "used", lines: toLines(used) },
  { name: "served", lines: toLines(served) },
  { name: "absent", lines: toLines(absent) },
  { name: "mistyped", lines: toLines(mistyped) },
];

const skill = (name: string) => `---\nname: ${name}\ndescription: Says it again.\n---\n\nSay it again.\n`;

const tool = `import { defineTool, z } from "nanobot";
export const tool = defineTool({
  name: "mine", description: "Says it again.", parameters: z.object({}), execute: async () => ({ content: "" }),
});
`;

const channel = `import { defineChannel, z } from "nanobot";
export const channel = defineChannel({ schema: z.object({}), create: () => ({}) });
`;

/** Something for every command: a skill, custom code, a fact, who waits to be let in, what could not be sent. */
export async function furnish(home: string, folder: string): Promise<void> {
  const files: Record<string, string> = {
    [join(home, "workspace/skills/mine/SKILL.md")]: skill("mine"),
    [join(folder, "other/SKILL.md")]: skill("other"),
    [join(home, "tools/mine.ts")]: tool,
    [join(home, "channels/mine.ts")]: channel,
    [join(home, "workspace/memory/MEMORY.md")]: "- Likes tea.\n- Likes coffee.\n",
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const pairing = JSON.parse(await readFile(join(home, "pairing.json"), "utf8"));
  const row = { channel: "telegram", expires_at: Date.now() / 1000 + 600, created_at: Date.now() / 1000 };
  pairing.pending = {
    "AAAA-AAAA": { ...row, sender_id: "7", name: "Bob" },
    "BBBB-BBBB": { ...row, sender_id: "8" },
  };
  await writeFile(join(home, "pairing.json"), JSON.stringify(pairing));
  const database = new DatabaseSync(join(home, "state.db"));
  for (const id of ["dead-1", "dead-2", "dead-3"]) {
    const part = { id, channel: "telegram", chatId: "1000", sessionKey: "telegram:1000", turnId: id };
    const text = JSON.stringify({
      ...part,
      text: "Never sent.",
      media: [],
      kind: "answer",
      wasStreamed: false,
    });
    const sql = `INSERT INTO outbox (id, channel, chat_id, part, created_at, state, attempts, reason)
      VALUES (?, 'telegram', '1000', ?, 0, 'dead', 3, 'refused')`;
    database.prepare(sql).run(id, text);
  }
  database.close();
}
