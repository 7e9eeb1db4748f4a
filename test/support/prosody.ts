// A real XMPP server on loopback: Prosody, with accounts, rooms and people who are connected. The test that starts it stops
// it. People speak through the session of the channel: the server is what tells right from wrong.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "../../src/channels/xmpp/session.ts";
import { escapeXml, findChild, type XmlElement } from "../../src/channels/xmpp/xml.ts";
import { findPort, startServerProcess } from "./server-process.ts";

export const xmppPassword = "correct-horse";
const domain = "chat.test";

export interface Prosody {
  port: number;
  /** The file with its certificate, where it has one. */
  certificate: string;
  addAccount(user: string): Promise<string>;
  enter(user: string): Promise<XmppPerson>;
  stop(): Promise<void>;
}

export interface XmppPerson {
  jid: string;
  heard: XmlElement[];
  said(): string[];
  say(to: string, text: string, options?: { id?: string; type?: "chat" | "groupchat" }): void;
  write(stanza: string): void;
  leave(): void;
}

export async function startProsody({ hasTls = false } = {}): Promise<Prosody> {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-xmpp-"));
  const port = await findPort();
  const certificate = join(folder, "chat.test.crt");
  if (hasTls) createCertificate(folder, certificate);
  const accounts = join(folder, "data", "chat%2etest", "accounts");
  await mkdir(accounts, { recursive: true });
  const path = join(folder, "prosody.cfg.lua");
  await writeFile(path, toConfig(folder, port, hasTls));
  const server = await startServerProcess(["prosody", "--config", path, "-F"], { port });
  const people: XmppPerson[] = [];
  const addAccount = async (user: string) => {
    await writeFile(join(accounts, `${user}.dat`), `return { ["password"] = "${xmppPassword}"; };`);
    return `${user}@${domain}`;
  };
  return {
    port,
    certificate,
    addAccount,
    async enter(user) {
      const jid = await addAccount(user);
      const person = await enter(jid, port);
      people.push(person);
      return person;
    },
    async stop() {
      for (const person of people) person.leave();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function createCertificate(folder: string, certificate: string): void {
  const key = join(folder, "chat.test.key");
  const subject = ["-subj", `/CN=${domain}`, "-addext", `subjectAltName=DNS:${domain}`];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const argv = [
    "req",
    "-x509",
    ...curve,
    "-nodes",
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    certificate,
    ...subject,
  ];
  execFileSync("openssl", argv, { stdio: "ignore" });
}

function toConfig(folder: string, port: number, hasTls: boolean): string {
  return `
run_as_root = true
pidfile = "${folder}/prosody.pid"
data_path = "${folder}/data"
plugin_paths = {}
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
s2s_ports = {}
http_ports = {}
https_ports = {}
modules_enabled = { "roster", "saslauth", "disco", "offline", "smacks", "ping"${hasTls ? ', "tls"' : ""} }
modules_disabled = { "s2s"${hasTls ? "" : ', "tls"'} }
authentication = "internal_plain"
allow_unencrypted_plain_auth = ${!hasTls}
c2s_require_encryption = ${hasTls}
log = { error = "${folder}/errors.log" }
VirtualHost "${domain}"
${hasTls ? `ssl = { certificate = "${folder}/chat.test.crt", key = "${folder}/chat.test.key" }` : ""}
Component "rooms.${domain}" "muc"
muc_room_default_public_jids = true
`;
}

async function enter(jid: string, port: number): Promise<XmppPerson> {
  const heard: XmlElement[] = [];
  const socket = createConnection({ host: "127.0.0.1", port }).setEncoding("utf8");
  const ready = Promise.withResolvers<void>();
  const session = new Session({
    user: jid.split("@")[0] ?? "",
    domain,
    password: xmppPassword,
    onAlive() {},
    onReady(opened) {
      opened.write("<presence/>");
      ready.resolve();
    },
    async onStanza(stanza) {
      heard.push(stanza);
    },
  });
  socket.on("error", () => {});
  socket.on("data", (text) => session.read(String(text)));
  const line = {
    write: (text: string) => void socket.write(text),
    encrypt() {},
    isSafe: () => true,
    fail: ready.reject,
  };
  socket.on("connect", () => session.open(line));
  await ready.promise;
  let count = 0;
  return {
    jid,
    heard,
    said: () => heard.flatMap((stanza) => findChild(stanza, "body")?.text ?? []),
    say(to, text, { id = `m${++count}`, type = "chat" } = {}) {
      const address = `to='${to}' type='${type}' id='${id}'`;
      session.write(`<message ${address}><body>${escapeXml(text)}</body></message>`);
    },
    write: (stanza) => session.write(stanza),
    leave: () => socket.destroy(),
  };
}
