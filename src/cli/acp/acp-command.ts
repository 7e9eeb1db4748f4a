// `nanobot acp`: the assistant as an agent of the Agent Client Protocol, for editors such as Zed, on standard input and
// output. The folder of a session is its workspace.
import { randomUUID } from "node:crypto";
import { isAbsolute, join } from "node:path";
import type { App } from "../../app/build-app.ts";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { readVersion } from "../../lib/package-root.ts";
import { writeFileAtomic } from "../../storage/files/change-files.ts";
import { type HomePaths, resolveHome } from "../../storage/home.ts";
import type { GlobalOptions } from "../command-line/options.ts";
import { openApp } from "../open-app.ts";
import type { CommandContext } from "../terminal/terminal.ts";
import { createAcpTurn } from "./acp-turn.ts";
import { createRpcLines, RpcError, type RpcLines } from "./rpc-lines.ts";

interface AcpSession {
  cwd: string;
  app: Promise<App>;
  /** Of the prompt that runs. */
  running?: AbortController;
}

const invalidParams = -32_602;
const mostImages = 8;
const largestImage = 10 * 1024 * 1024;
const imageTypes: Record<string, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

export async function runAcp(options: GlobalOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  const rpc = createRpcLines(terminal, signal);
  const apps = new Map<string, Promise<App>>();
  const sessions = new Map<string, AcpSession>();

  function open(sessionId: string, { cwd }: JsonObject): AcpSession {
    if (typeof cwd !== "string" || !isAbsolute(cwd))
      throw new RpcError(invalidParams, "cwd is not an absolute path");
    const app =
      apps.get(cwd) ?? openApp({ options: { ...options, workspace: cwd }, terminal, paths, canAsk: true });
    apps.set(cwd, app);
    const session = { cwd, app };
    sessions.set(sessionId, session);
    return session;
  }

  function find({ sessionId }: JsonObject): AcpSession {
    const session = sessions.get(String(sessionId));
    if (session === undefined) throw new RpcError(invalidParams, "There is no such session");
    return session;
  }

  async function prompt(params: JsonObject): Promise<object> {
    const session = find(params);
    const sessionId = String(params.sessionId);
    const ending = new AbortController();
    session.running = ending;
    const app = await session.app;
    const turn = createAcpTurn({ sessionId, cwd: session.cwd, rpc, words: terminal.words });
    const { text, media, labels } = await readPrompt(params.prompt, paths);
    const outcome = await app.loop.processDirect({
      sessionKey: toKey(sessionId),
      text,
      media,
      labels,
      signal: AbortSignal.any([signal, ending.signal]),
      onEvent: turn.show,
      ask: turn.ask,
    });
    await turn.done();
    session.running = undefined;
    const isSilent = outcome.kind === "command" || outcome.error !== undefined;
    if (isSilent) tell(rpc, sessionId, "agent_message_chunk", outcome.text);
    return { stopReason: outcome.stop === "cancelled" || ending.signal.aborted ? "cancelled" : "end_turn" };
  }

  async function handle(method: string, params: JsonObject): Promise<object | null> {
    switch (method) {
      case "initialize":
        return {
          protocolVersion: 1,
          agentInfo: { name: "nanobot", version: readVersion() },
          agentCapabilities: {
            loadSession: true,
            promptCapabilities: { image: true, audio: false, embeddedContext: true },
          },
          authMethods: [],
        };
      case "session/new": {
        const sessionId = randomUUID();
        await open(sessionId, params).app;
        return { sessionId };
      }
      case "session/load": {
        const sessionId = String(params.sessionId);
        if (!/^[\w-]{1,64}$/.test(sessionId)) throw new RpcError(invalidParams, "There is no such session");
        const app = await open(sessionId, params).app;
        await replay(app, sessionId, rpc);
        return null;
      }
      case "session/prompt":
        return prompt(params);
      case "session/cancel":
        find(params).running?.abort();
        return null;
      default:
        throw new RpcError(-32_601, "Method not found");
    }
  }

  try {
    await rpc.run(handle);
    return 0;
  } finally {
    for (const { running } of sessions.values()) running?.abort();
    for (const app of apps.values()) await app.then((opened) => opened.close()).catch(() => {});
  }
}

function toKey(sessionId: string): string {
  return `cli:acp-${sessionId}`;
}

function tell(rpc: RpcLines, sessionId: string, sessionUpdate: string, text: string): void {
  const update = { sessionUpdate, content: { type: "text", text } };
  if (text !== "") rpc.notify("session/update", { sessionId, update });
}

/** What was said, once more, for an editor that opens an earlier conversation. */
async function replay(app: App, sessionId: string, rpc: RpcLines): Promise<void> {
  const session = await app.storage.sessions.open(toKey(sessionId), "owner");
  for (const { role, content } of session.recent) {
    const text = typeof content === "string" ? content : "";
    if (role === "user") tell(rpc, sessionId, "user_message_chunk", text);
    if (role === "assistant") tell(rpc, sessionId, "agent_message_chunk", text);
  }
}

interface Prompt {
  text: string;
  media: string[];
  labels: string[];
}

/** Text, images as files, and what the editor attaches: words of files are not the person's own. */
async function readPrompt(blocks: unknown, { terminalMedia }: HomePaths): Promise<Prompt> {
  const list = Array.isArray(blocks) ? blocks.filter(isRecord) : [];
  const texts: string[] = [];
  const media: string[] = [];
  const labels = new Set<string>();
  for (const { type, text, data, mimeType, uri, resource } of list) {
    if (type === "text") texts.push(String(text));
    if (type === "resource_link") texts.push(String(uri));
    if (type === "resource" && isRecord(resource) && typeof resource.text === "string") {
      texts.push(`${String(resource.uri)}:\n${resource.text}`);
      labels.add("editor");
    }
    const ending = imageTypes[String(mimeType)];
    if (type !== "image" || ending === undefined || typeof data !== "string" || media.length >= mostImages)
      continue;
    const bytes = Buffer.from(data, "base64");
    if (bytes.length > largestImage) throw new RpcError(invalidParams, "The image is larger than 10 MB");
    const path = join(terminalMedia, `${randomUUID()}.${ending}`);
    await writeFileAtomic(path, bytes);
    media.push(path);
  }
  return { text: texts.join("\n\n"), media, labels: [...labels] };
}
