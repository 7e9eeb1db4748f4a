// A real Matrix server on loopback: Synapse from PyPI, with SQLite, and people who are signed in.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Json } from "./fake-platform.ts";
import { findPort, startServerProcess } from "./server-process.ts";

export interface Synapse extends AsyncDisposable {
  url: string;
  register(name: string): Promise<MatrixPerson>;
}

/** `python`: the one that Synapse is installed for. */
export async function startSynapse(python: string): Promise<Synapse> {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-matrix-"));
  const port = await findPort();
  const path = join(folder, "homeserver.yaml");
  const generate = ["--server-name", "test", "--config-path", path, "--generate-config", "--report-stats=no"];
  await promisify(execFile)(python, ["-m", "synapse.app.homeserver", ...generate], { cwd: folder });
  const generated = await readFile(path, "utf8");
  await writeFile(
    path,
    `${generated.replace(/^listeners:[\s\S]*?^database:/m, "database:").replace(/- server_name.*/, "[]")}\n${toConfig(port)}`,
  );
  const argv = [python, "-m", "synapse.app.homeserver", "--config-path", path];
  const server = await startServerProcess(argv, { port, cwd: folder });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    async register(username) {
      const auth = { type: "m.login.dummy" };
      const answer = await request(`${url}/_matrix/client/v3/register`, {
        method: "POST",
        body: { username, password: "pw-of-a-test", auth },
      });
      return new MatrixPerson(url, String(answer.user_id), String(answer.access_token));
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const many = "{ per_second: 1000, burst_count: 1000 }";

function toConfig(port: number): string {
  return `listeners:
  - { port: ${port}, type: http, tls: false, bind_addresses: ["127.0.0.1"], resources: [{ names: [client, media] }] }
enable_registration: true
enable_registration_without_verification: true
rc_message: ${many}
rc_registration: ${many}
rc_joins: { local: ${many}, remote: ${many} }
rc_invites: { per_room: ${many}, per_user: ${many}, per_issuer: ${many} }
`;
}

export class MatrixPerson {
  readonly userId: string;
  readonly token: string;
  readonly #url: string;
  #count = 0;

  constructor(url: string, userId: string, token: string) {
    this.#url = url;
    this.userId = userId;
    this.token = token;
  }

  async createRoom(invite: string[]): Promise<string> {
    return String(
      (await this.#call("POST", "/client/v3/createRoom", { preset: "private_chat", invite })).room_id,
    );
  }

  async join(room: string): Promise<void> {
    await this.#call("POST", `/client/v3/join/${encodeURIComponent(room)}`, {});
  }

  async members(room: string): Promise<string[]> {
    const { joined } = await this.#call("GET", `/client/v3/rooms/${encodeURIComponent(room)}/joined_members`);
    return Object.keys(joined as Json);
  }

  /** Gives the event's id. */
  async say(room: string, body: string, more: Json = {}): Promise<string> {
    const path = `/client/v3/rooms/${encodeURIComponent(room)}/send/m.room.message/t${++this.#count}`;
    return String((await this.#call("PUT", path, { msgtype: "m.text", body, ...more })).event_id);
  }

  async sayWithFile(room: string, filename: string, content: string): Promise<void> {
    const headers = { authorization: `Bearer ${this.token}`, "content-type": "text/plain" };
    const upload = await fetch(`${this.#url}/_matrix/media/v3/upload?filename=${filename}`, {
      method: "POST",
      headers,
      body: content,
    });
    const { content_uri: url } = (await upload.json()) as Json;
    await this.say(room, filename, { msgtype: "m.file", filename, url });
  }

  /** What someone said in a room, edited messages as they are now. */
  async read(room: string, sender: string): Promise<string[]> {
    const { chunk } = await this.#call(
      "GET",
      `/client/v3/rooms/${encodeURIComponent(room)}/messages?dir=b&limit=100`,
    );
    const said = (chunk as Json[])
      .filter((event) => event.type === "m.room.message" && event.sender === sender)
      .toReversed();
    const relationOf = (event: Json) => ((event.content as Json)["m.relates_to"] ?? {}) as Json;
    const isEdit = (event: Json) => relationOf(event).rel_type === "m.replace";
    return said
      .filter((event) => !isEdit(event))
      .map((event) => {
        const edit = said.findLast((each) => isEdit(each) && relationOf(each).event_id === event.event_id);
        const content = (edit?.content as Json | undefined)?.["m.new_content"] ?? event.content;
        return String((content as Json).body);
      });
  }

  async signOut(): Promise<void> {
    await this.#call("POST", "/client/v3/logout", {});
  }

  #call(method: string, path: string, body?: Json): Promise<Json> {
    return request(`${this.#url}/_matrix${path}`, { method, token: this.token, ...(body && { body }) });
  }
}

async function request(
  url: string,
  { method, token, body }: { method: string; token?: string; body?: Json },
): Promise<Json> {
  const response = await fetch(url, {
    method,
    headers: {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Json;
}
