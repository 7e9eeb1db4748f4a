// The access matrix: who may do what, asked of a running gateway from outside. A cell is `allowed`, or the code or status
// of the refusal. Those who may least ask first, so that nothing goes on when a refusal is looked at.
import { WebSocket } from "ws";
import { phrase } from "../../src/i18n/phrase.ts";
import { createWords, say as sayPhrase } from "../../src/i18n/words.ts";
import type { OperationName, ResultOf } from "../../src/server/protocol.ts";
import { commandRows, httpRows, socketRows, toolRows } from "./access-rows.ts";
import type { AccessScene, Chat, OwnersThings, Things } from "./access-scene.ts";
import { enter, type WebClient, WebProblem } from "./web-client.ts";

/** By who asks, and about whose. */
export type Row = Record<string, string>;
export type Rows = Record<string, Row>;
/** By the surface on which it is asked. */
export type Matrix = Record<string, Rows>;

type Owned = Things & OwnersThings;

class Asking {
  readonly matrix: Matrix = {};
  /** Refusals that changed something, or said what they must not. */
  readonly faults: string[] = [];
  readonly scene: AccessScene;
  #isWatched = false;

  constructor(scene: AccessScene) {
    this.scene = scene;
  }

  /** `ask` gives `allowed` or a code, and what was said. What an owner asks for goes on afterwards. */
  async note(
    [surface, names, who]: [surface: string, names: readonly string[], who: string],
    ask: () => Promise<{ is: string; said: string }>,
  ): Promise<void> {
    const isWatched = !this.#isWatched && who !== "owner" && who !== "token";
    const before = isWatched ? await this.scene.readOwnersState() : undefined;
    const { is, said } = await ask();
    const rows = this.matrix[surface] ?? {};
    this.matrix[surface] = rows;
    for (const name of names) rows[name] = { ...rows[name], [who]: is };
    if (is === "allowed") return;
    const what = `${surface} ${names[0]} by ${who}`;
    if (before !== undefined) await this.#compare(before, what);
    if (this.scene.secrets.some((secret) => said.includes(secret))) this.faults.push(`${what} said: ${said}`);
  }

  /** All that is asked meanwhile must change nothing, but for one place. */
  async watch(what: string, askAll: () => Promise<void>, but?: string): Promise<void> {
    const before = await this.scene.readOwnersState();
    this.#isWatched = true;
    await askAll();
    this.#isWatched = false;
    await this.#compare(before, what, but);
  }

  async #compare(before: Record<string, string>, what: string, but?: string): Promise<void> {
    const after = await this.scene.readOwnersState();
    const places = new Set([...Object.keys(before), ...Object.keys(after)]);
    const changed = [...places].filter((place) => before[place] !== after[place] && place !== but);
    if (changed.length > 0) this.faults.push(`${what} changed ${changed.join(", ")}`);
  }
}

const methods = Object.keys(socketRows) as OperationName[];

export async function askSocket(scene: AccessScene): Promise<Asking> {
  const asking = new Asking(scene);
  const { gateway, owner, guest, owners, guests, groups } = scene;
  // Without a cookie no frame is taken. A member of a group has none.
  const { url } = gateway;
  const socket = new WebSocket(`${url.replace("http", "ws")}/api/socket`, { headers: { origin: url } });
  const code = await new Promise<number>((resolve, reject) =>
    socket.on("close", resolve).on("error", reject),
  );
  await asking.note(["socket", methods, "nobody"], async () => ({ is: `closed ${code}`, said: "" }));

  const own = { ...owners, ...guests };
  const ask = (who: string, name: OperationName, of: Owned) =>
    asking.note(["socket", [name], who], () => request(guest, name, socketRows[name](of)));
  const isSame = (name: OperationName, one: Owned, other: Owned) =>
    JSON.stringify(socketRows[name](one)) === JSON.stringify(socketRows[name](other));
  // Where nothing of anyone is named there is only the guest's own.
  await asking.watch("a guest, of the owner's", async () => {
    for (const name of methods)
      if (!isSame(name, owners, own)) await ask("guest, of the owner's", name, owners);
  });
  await asking.watch("a guest, of a group's", async () => {
    for (const name of methods)
      if (!isSame(name, groups, owners)) await ask("guest, of a group's", name, groups);
  });
  for (const name of methods) await ask("guest", name, own);
  for (const name of methods)
    await asking.note(["socket", [name], "owner"], async () => {
      const answer = await request(owner, name, socketRows[name](owners));
      const { staged } = (answer.result ?? {}) as Partial<ResultOf<"skills.stage">>;
      if (staged !== undefined) await owner.ask("skills.discard", { stage: staged.stage });
      return answer;
    });
  return asking;
}

function request(client: WebClient, method: OperationName, params: unknown) {
  return client.ask(method, params as never).then(
    (result) => ({ is: "allowed", said: "", result }),
    (error: unknown) => {
      if (!(error instanceof WebProblem)) throw error;
      return { is: toCell(error.problem.code), said: JSON.stringify(error.problem), result: undefined };
    },
  );
}

/** Codes of operations as 0.1.0 called the kinds of refusals. */
function toCell(code: string): string {
  if (code === "request.owner-only") return "forbidden";
  if (code === "request.bad-params") return "bad-params";
  if (code === "request.failed") return "failed";
  return code.includes(".") ? "wish" : code;
}

/** Routes, with everything that a program or a page can show. */
export async function askHttp(scene: AccessScene): Promise<Asking> {
  const asking = new Asking(scene);
  const { gateway, owners, guests } = scene;
  const { url } = gateway;
  const member = { person: scene.guest.welcome.viewer.person, role: "guest" } as const;
  const [ownerCookie, guestCookie] = [await enter(gateway), await enter(gateway, member)];
  const shown: Record<string, Record<string, string>> = {
    nobody: {},
    "other site": { cookie: ownerCookie, origin: "http://evil.example" },
    guest: { cookie: guestCookie, origin: url },
    owner: { cookie: ownerCookie, origin: url },
    key: { authorization: `Bearer ${scene.apiKey}` },
    token: { authorization: `Bearer ${gateway.address.token}` },
  };
  const media = httpRows.find(({ path }) => path(owners) !== path({ ...owners, ...guests }));
  const path = media?.path({ ...owners, ...guests }) ?? "";
  await asking.note(["http", [media?.route ?? ""], "guest, own"], () =>
    send(url, path, { headers: shown.guest }),
  );
  await askEnter(asking);
  for (const [who, headers] of Object.entries(shown))
    for (const { route, path, body } of httpRows)
      await asking.note(["http", [route], who], () => send(url, path(owners), { body, headers }));
  return asking;
}

interface Sent {
  /** Absent: it is a GET. */
  body?: unknown;
  headers?: Record<string, string>;
}

async function send(url: string, path: string, { body, headers }: Sent) {
  const response = await fetch(url + path, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { is: response.ok ? "allowed" : String(response.status), said: await response.text() };
}

/** Links that are used by a browser which is signed in already. */
async function askEnter(asking: Asking): Promise<void> {
  const { gateway } = asking.scene;
  const { url, client } = gateway;
  const cookies = {
    nobody: "",
    guest: await enter(gateway, { person: "eve", role: "guest" }),
    owner: await enter(gateway),
  };
  const links = { "a guest's link": { person: "adam", role: "guest" }, "the owner's link": {} } as const;
  for (const [who, cookie] of Object.entries(cookies))
    for (const [what, whose] of Object.entries(links))
      await asking.note(["http", [`POST /api/enter, ${what}`], who], async () => {
        const link = await client.call("web.link", whose);
        const token = new URL(link.urls[0] ?? "").hash.slice("#token=".length);
        return send(url, "/api/enter", { body: { token }, headers: { cookie, origin: url } });
      });
}

export async function askCommands(scene: AccessScene): Promise<Asking> {
  const asking = new Asking(scene);
  const { say, mutter, toldIn, owners, gateway } = scene;
  const { job, otherJob, version } = owners;
  const lines = Object.entries(commandRows).flatMap(([name, texts]) =>
    texts.map((text) => `/${name} ${text}`.trim()),
  );
  const fill = (line: string) =>
    line.replace("$job", job).replace("$other", otherJob).replace("$version", version);
  // A stranger was told a code in private once, and is not heard.
  const before = toldIn("group").length;
  const asked = gateway.provider.requests.length;
  for (const chat of ["nobody", "nobodyInGroup"] as const)
    await asking.note(["commands", lines, chat], async () => {
      for (const line of [...lines, "Hello"]) mutter(chat, fill(line));
      await say("guest", "/help");
      const told = [...toldIn("nobody").slice(1), ...toldIn("group").slice(before)];
      const isHeard = told.length > 0 || gateway.provider.requests.length > asked;
      return { is: isHeard ? "heard" : "not heard", said: told.join("\n") };
    });

  const words = createWords("english");
  const refusals: Record<string, string[]> = {
    "owner only": [
      sayPhrase(phrase("request.owner-only"), words),
      sayPhrase(phrase("memory.not-yours"), words),
    ],
    "not in a group": [sayPhrase(phrase("pairing.not-in-group"), words)],
    "not found": [
      ...[job, otherJob].map((id) => sayPhrase(phrase("jobs.not-found", { id }), words)),
      sayPhrase(phrase("memory.version-unknown", { id: version }), words),
    ],
  };
  for (const chat of ["guest", "group", "ownerInGroup", "owner"] as const)
    for (const line of lines)
      await asking.note(["commands", [line], chat], async () => {
        const said = await say(chat, fill(line));
        const [code = "allowed"] = Object.entries(refusals).find(([, texts]) => texts.includes(said)) ?? [];
        return { is: code, said };
      });
  return asking;
}

/** All calls of a chat in one turn. */
export async function askTools(scene: AccessScene): Promise<Asking> {
  const asking = new Asking(scene);
  const { say, mutter, owners, gateway, secrets } = scene;
  const { app, home } = gateway;
  const places: Record<string, string> = {
    $workspace: app.workspace,
    $home: home,
    $job: owners.job,
    $entry: owners.entryId,
  };
  const calls = JSON.stringify(toolRows.map(([tool, , args]) => [tool, args]));
  const line = `do ${calls.replaceAll(/\$[a-z]+/g, (name) => places[name] ?? name)}`;
  const names = toolRows.map(([tool, what]) => `${tool}: ${what}`);
  const rows: Rows = {};
  asking.matrix.tools = rows;
  const use = async (chat: Chat) => {
    await say(chat, "We sing at nine");
    const results = await runTurn(scene, chat, () => mutter(chat, line));
    for (const [index, name] of names.entries()) {
      const { isError, content } = results[index] ?? { isError: true, content: "not called" };
      rows[name] = { ...rows[name], [chat]: isError ? "refused" : "allowed" };
      // The model is told which folder is the speaker's own.
      if (isError && secrets.some((secret) => secret !== home && content.includes(secret)))
        asking.faults.push(`${name} by ${chat} said: ${content}`);
    }
  };
  // The jobs of everyone are in one file.
  for (const chat of ["guest", "group"] as const)
    await asking.watch(`tools by ${chat}`, () => use(chat), "workspace/cron/jobs.json");
  if ((await gateway.client.call("jobs.list", {})).jobs.every(({ id }) => id !== owners.job))
    asking.faults.push("a job is gone");
  for (const chat of ["ownerInGroup", "owner"] as const) await use(chat);
  return asking;
}

/** The results of its calls, in their order. */
async function runTurn(
  { gateway, keyOf }: AccessScene,
  chat: Chat,
  begin: () => void,
): Promise<Array<{ isError: boolean; content: string }>> {
  const results: Array<{ isError: boolean; content: string }> = [];
  const over = Promise.withResolvers<void>();
  const unsubscribe = gateway.app.bus.onLive(({ sessionKey, body }) => {
    if (sessionKey !== keyOf(chat)) return;
    if (body.type === "tool-end") results[Number(body.callId.split(".").at(-1))] = body;
    if (body.type === "turn-end") over.resolve();
  });
  begin();
  await over.promise;
  unsubscribe();
  return results;
}
