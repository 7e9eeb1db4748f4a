// A real IRC server on loopback: ngIRCd, and people who are connected to it. The test that starts it stops it.
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createConnection, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import { findPort, startServerProcess } from "./server-process.ts";

export interface Ngircd {
  port: number;
  password: string;
  enter(nick: string): Promise<IrcPerson>;
  stop(): Promise<void>;
}

export interface IrcPerson {
  nick: string;
  /** What was said, `<from> <to> <text>`. */
  heard: Array<{ from: string; to: string; text: string }>;
  say(to: string, text: string): void;
  join(room: string): Promise<void>;
  /** Whether someone of this name is connected. */
  sees(nick: string): Promise<boolean>;
  leave(): void;
}

export async function startNgircd(): Promise<Ngircd> {
  const folder = await mkdtemp(join(tmpdir(), "nanobot-irc-"));
  // It gives up the rights of root before it reads the rest.
  await chmod(folder, 0o755);
  const port = await findPort();
  const password = "s3rver-pass";
  const path = join(folder, "ngircd.conf");
  await writeFile(path, toConfig(port, password));
  const server = await startServerProcess(["/usr/sbin/ngircd", "-n", "-f", path], { port });
  const people: IrcPerson[] = [];
  return {
    port,
    password,
    async enter(nick) {
      const person = await enter(nick, port, password);
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

function toConfig(port: number, password: string): string {
  return `[Global]
Name = irc.test
Info = test
Listen = 127.0.0.1
Ports = ${port}
Password = ${password}
MotdPhrase = welcome
[Limits]
MaxConnectionsIP = 0
MaxNickLength = 30
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
ChrootDir =
`;
}

async function enter(nick: string, port: number, password: string): Promise<IrcPerson> {
  const socket = createConnection({ host: "127.0.0.1", port });
  const lines: string[] = [];
  const heard: IrcPerson["heard"] = [];
  let rest = "";
  socket.setEncoding("utf8").on("error", () => {});
  socket.on("data", (text: string) => {
    const all = (rest + text).split("\r\n");
    rest = all.pop() ?? "";
    for (const line of all) read(line, socket, heard);
    lines.push(...all);
  });
  socket.write(`PASS ${password}\r\nNICK ${nick}\r\nUSER ${nick} 0 * :${nick}\r\n`);
  await eventually(() => lines.some((line) => line.includes(" 001 "))).toBe(true);
  return {
    nick,
    heard,
    say: (to, text) => void socket.write(`PRIVMSG ${to} :${text}\r\n`),
    async join(room) {
      socket.write(`JOIN ${room}\r\n`);
      await eventually(() => lines.some((line) => line.includes(` 366 ${nick} ${room}`))).toBe(true);
    },
    async sees(other) {
      const before = lines.length;
      socket.write(`ISON ${other}\r\n`);
      const find = () => lines.slice(before).find((line) => line.includes(" 303 "));
      await eventually(find).toBeDefined();
      return find()?.endsWith(`:${other}`) ?? false;
    },
    leave: () => socket.destroy(),
  };
}

function read(line: string, socket: Socket, heard: IrcPerson["heard"]): void {
  if (line.startsWith("PING")) socket.write(`PONG ${line.slice(5)}\r\n`);
  const [, from = "", to = "", text = ""] = /^:([^! ]+)\S* PRIVMSG (\S+) :(.*)$/.exec(line) ?? [];
  if (from !== "") heard.push({ from, to, text });
}
