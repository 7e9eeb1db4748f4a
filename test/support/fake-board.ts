// The board of the example channel, on loopback: notes with numbers, long polls, a key, and repetitions that it drops.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface FakeBoard {
  url: string;
  token: string;
  /** What was pinned, by the key that came with it. */
  pinned: Map<string, { to: string; text: string }>;
  /** How often notes were asked for with the right key. */
  polls(): number;
  /** By Ann; a second note with the same id is a repetition. */
  say(text: string, options?: { id?: number; name?: string }): void;
}

interface Note {
  id: number;
  author: string;
  name?: string;
  text: string;
}

export async function startFakeBoard(): Promise<FakeBoard> {
  const token = "board-key-1";
  const notes: Note[] = [];
  /** Given once more, although they were asked for after a later one. */
  const repeated = new Set<Note>();
  const waiting = new Set<() => void>();
  const pinned: FakeBoard["pinned"] = new Map();
  let polls = 0;
  let count = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.headers.authorization !== `Bearer ${token}`) return void response.writeHead(401).end();
    if (request.method === "POST") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { key, to, text } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      pinned.set(key, { to, text });
      return void response.end();
    }
    polls += 1;
    const query = new URL(request.url ?? "", "http://board").searchParams;
    const after = Number(query.get("after"));
    const isPatient = query.get("wait") !== "0";
    const take = () => notes.filter((note) => note.id > after || repeated.delete(note));
    let found = take();
    for (; isPatient && found.length === 0 && !response.closed; found = take())
      await new Promise<void>((resolve) => {
        waiting.add(resolve);
        response.once("close", resolve);
      });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(found));
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    pinned,
    polls: () => polls,
    say(text, { id = 1_000 + ++count, name } = {}) {
      const note: Note = { id, author: "ann", text, ...(name !== undefined && { name }) };
      if (notes.some((before) => before.id >= id)) repeated.add(note);
      notes.push(note);
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
}
