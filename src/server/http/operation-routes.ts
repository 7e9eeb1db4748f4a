// `POST /api/<name>`: an operation over HTTP. The answer is one JSON value, or lines of what happens meanwhile for a
// client that accepts `application/x-ndjson`.
import { PassThrough } from "node:stream";
import type { CallLine, ClientCaller } from "../../api/client.ts";
import type { GatewayStatus } from "../../api/gateway/gateway.ts";
import { type Problem, toFailedProblem, toProblem } from "../../api/problem.ts";
import type { OpenQuestions } from "../../api/questions.ts";
import type { RunOperation } from "../../api/run-operation.ts";
import type { PhraseCode } from "../../i18n/phrase.ts";
import { type Language, speakTo, type Words } from "../../i18n/words.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { readVersion } from "../../lib/package-root.ts";
import { addMcpRoute } from "../mcp/mcp-route.ts";
import { type Context, type Routes, readBody } from "./routes.ts";

export interface OperationRoutesOptions {
  run: RunOperation;
  questions: OpenQuestions;
  words: Words;
  newId(): string;
  /** Throws for a client that is not admitted. */
  callerOf(context: Context): Promise<ClientCaller>;
  onError(error: unknown, name: string): void;
}

const largestParams = 1024 * 1024;
const statuses: Partial<Record<PhraseCode, 403 | 404 | 500>> = {
  "request.owner-only": 403,
  "request.not-of-token": 403,
  "request.unknown": 404,
  "request.failed": 500,
};

export function addOperationRoutes(routes: Routes, options: OperationRoutesOptions): void {
  addMcpRoute(routes, options);
  const { run, questions, callerOf, newId, onError } = options;
  routes.post("/api/:name", async (context) => {
    const admitted = await callerOf(context);
    const { name = "" } = context.params;
    const language = readLanguage(context.header("accept-language"));
    const words = speakTo({ language }, options.words);
    const { signal } = context;
    const requestId = context.header("idempotency-key")?.slice(0, 200) || newId();
    const caller = { ...admitted, requestId, signal, ...(language && { language }) };
    const params = parseJson((await readBody(context.incoming, largestParams)) || "{}");
    const toLast = (error: unknown): { problem: Problem } => {
      const problem = toProblem(error, words);
      if (problem === undefined && !signal.aborted) onError(error, name);
      return { problem: problem ?? toFailedProblem(words) };
    };
    if (!context.header("accept")?.includes("application/x-ndjson")) {
      const last = await run({ name, params }, caller).then((result) => ({ result: result ?? null }), toLast);
      const status = "problem" in last ? (statuses[last.problem.code] ?? 400) : 200;
      return context.json(last, status);
    }
    const lines = new PassThrough();
    // A client that has gone away takes nothing more.
    const write = (line: CallLine) => lines.destroyed || lines.write(`${JSON.stringify(line)}\n`);
    const answer = async () => {
      const last = await run({ name, params }, caller, {
        show: (event) => void write({ event }),
        ask: (question) =>
          questions.ask(question, caller, (questionId) => void write({ questionId, question })),
      }).then((result) => ({ result: result ?? null }), toLast);
      write(last);
      lines.end();
    };
    void answer();
    return { status: 200, headers: { "content-type": "application/x-ndjson" }, body: lines };
  });
}

function readLanguage(header: string | undefined): Language | undefined {
  if (header === undefined) return undefined;
  return /^\s*zh\b/i.test(header) ? "chinese" : /^\s*en\b/i.test(header) ? "english" : undefined;
}

/**
 * Where a browser ends after signing in to an MCP server. Anyone who knows the secret state of a sign-in that is under way may
 * finish it: the browser comes from another site, and brings no cookie.
 */
export function addSignInRoute(
  routes: Routes,
  { run, newId, words, onError }: Pick<OperationRoutesOptions, "run" | "newId" | "words" | "onError">,
): void {
  const name = "mcp.finish-login";
  routes.get("/oauth/callback", async (context) => {
    const language = readLanguage(context.header("accept-language"));
    const spoken = speakTo({ language }, words);
    const address = new URL(context.incoming.url ?? "", "http://127.0.0.1").href;
    const caller = { person: "owner", role: "owner" as const, requestId: newId(), signal: context.signal };
    const said = await run({ name, params: { address } }, caller).then(
      () => spoken.mcp.signIn.closeWindow,
      (error) => {
        const problem = toProblem(error, spoken);
        if (problem === undefined) onError(error, name);
        return (problem ?? toFailedProblem(spoken)).message;
      },
    );
    return { status: 200, headers: { "content-type": "text/plain; charset=UTF-8" }, body: `${said}\n` };
  });
}

export interface GatewayRoutesOptions {
  status(): Promise<Pick<GatewayStatus, "channels" | "startedAt">>;
  page(): string;
}

export function addGatewayRoutes(routes: Routes, { status, page }: GatewayRoutesOptions): void {
  routes.get("/health", async (context) => {
    const { channels, startedAt } = await status();
    const states = channels.map(({ name, state }) => ({ name, state }));
    return context.json({
      status: "ok",
      pid: process.pid,
      version: readVersion(),
      startedAt,
      channels: states,
    });
  });
  routes.get("/", (context) => context.html(page()));
}
