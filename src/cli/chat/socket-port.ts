// The gateway of the home as a port of the chat, over its socket.

import { open } from "node:fs/promises";
import { basename } from "node:path";
import type { Entry, OpenedSession } from "../../api/chat/wire.ts";
import { createHttpClient, type GatewayAddress } from "../../api/client.ts";
import { onAbort } from "../../lib/abort.ts";
import { createIds } from "../../lib/ids.ts";
import type { ChatEvent, ChatPort, PastMessage } from "../../server/chat-port.ts";
import { findGateway } from "../../server/gateway-file.ts";
import { GatewaySocket } from "../../server/gateway-socket.ts";

export interface SocketPort extends ChatPort {
  socket: GatewaySocket;
  /** Hands files over; gives back their ids. */
  put(paths: readonly string[]): Promise<string[]>;
}

const mostPast = 40;
const pieceSize = 384 * 1024;

export async function openSocketPort(address: GatewayAddress, runFolder: string): Promise<SocketPort> {
  const ids = createIds();
  let tell: (event: ChatEvent) => void = () => {};
  let client = createHttpClient(address);
  const socket = new GatewaySocket({
    async find() {
      const found = await findGateway(runFolder);
      if (found !== undefined) client = createHttpClient(found);
      return found;
    },
    onEvent: (event) => event.type === "shown" && tell(event),
    onLost: () => tell({ type: "lost" }),
    onBack: (isResumed) => tell({ type: "back", isResumed }),
  });
  await socket.connect(address);

  async function putFile(path: string): Promise<string> {
    const fileId = ids.next();
    const file = await open(path);
    try {
      const { size } = await file.stat();
      for (let offset = 0; offset === 0 || offset < size; offset += pieceSize) {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(pieceSize), 0, pieceSize, offset);
        const data = buffer.toString("base64", 0, bytesRead);
        const isLast = offset + pieceSize >= size;
        await socket.ask("file.put", { fileId, name: basename(path), offset, data, isLast });
      }
    } finally {
      await file.close();
    }
    return fileId;
  }

  const put = (paths: readonly string[]) => Promise.all(paths.map(putFile));

  return {
    isAttached: true,
    socket,
    put,
    listen(listener) {
      tell = listener;
    },
    async open(sessionKey) {
      const { session, entries, model, running, asks } = await socket.ask("chat.open", {
        sessionKey,
        limit: mostPast,
      });
      const past = entries.flatMap(toPast);
      return { title: session.title, model, past, ...toRunning(running, asks) };
    },
    async send({ files, labels, ...message }) {
      const sent = { ...message, labels, files: await put(files), channel: "cli" as const };
      return (await socket.ask("chat.send", sent)).turnId;
    },
    stop: async (sessionKey) => void (await socket.ask("chat.stop", { sessionKey })),
    answer: async (wish) => void (await socket.ask("chat.answer", wish)),
    async sessions() {
      const { sessions } = await socket.ask("chat.list", {});
      return sessions;
    },
    complete: () => socket.ask("chat.complete", {}),
    async run(wish, signal) {
      const runId = ids.next();
      const cancel = () => void socket.ask("terminal.cancel", { runId }).catch(() => {});
      const forget = onAbort(signal, cancel);
      try {
        return await socket.ask("terminal.run", { ...wish, runId });
      } finally {
        forget();
      }
    },
    client: async () => client,
    close: async () => socket.close(),
  };
}

function toPast({ id, turn, role, text }: Entry): PastMessage[] {
  return role !== "tool" && text.trim() !== "" ? [{ id, turn, role, text }] : [];
}

/** A question that waits is part of what happens now, also where its step has forgotten it. */
function toRunning(running: OpenedSession["running"], asks: OpenedSession["asks"]) {
  const bodies = running?.bodies ?? [];
  const isKnown = (askId: string) => bodies.some((body) => body.type === "ask-start" && body.askId === askId);
  const [first] = asks;
  const missing = asks
    .filter(({ askId }) => !isKnown(askId))
    .map(({ askId, question }) => ({ type: "ask-start" as const, askId, question }));
  const turnId = running?.turnId ?? first?.turnId;
  return turnId === undefined ? {} : { running: { turnId, bodies: [...bodies, ...missing] } };
}
