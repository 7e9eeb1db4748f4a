// JSON-RPC in both directions, one message a line. What is not a message of that form is refused or left alone.
import { createInterface } from "node:readline";
import { isRecord } from "../../lib/is-record.ts";
import type { JsonObject } from "../../lib/json-tree.ts";
import { parseJson } from "../../lib/json-tree.ts";

export interface RpcLines {
  notify(method: string, params: object): void;
  /** Rejects when the other side refuses, or is gone. */
  request(method: string, params: object): Promise<unknown>;
  /** Resolves when the input ends and everything is answered. */
  run(handle: (method: string, params: JsonObject) => Promise<object | null>): Promise<void>;
}

/** Refused with a code of JSON-RPC. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const longestLine = 32 * 1024 * 1024;

export function createRpcLines(
  { stdin, stdout }: { stdin: NodeJS.ReadableStream; stdout: NodeJS.WritableStream },
  signal: AbortSignal,
): RpcLines {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const write = (message: object) => void stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let last = 0;

  function settle({ id, result, error }: JsonObject): void {
    const asked = waiting.get(Number(id));
    waiting.delete(Number(id));
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new RpcError(0, "refused"));
  }

  async function answer(message: unknown, handle: Parameters<RpcLines["run"]>[0]): Promise<void> {
    if (!isRecord(message))
      return write({ id: null, error: { code: -32_700, message: "Not a JSON object" } });
    const { id, method, params } = message;
    if (typeof method !== "string") return settle(message);
    try {
      const result = await handle(method, isRecord(params) ? params : {});
      if (id !== undefined) write({ id, result });
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32_603;
      const said = error instanceof RpcError ? error.message : "Internal error";
      if (id !== undefined) write({ id, error: { code, message: said } });
    }
  }

  return {
    notify: (method, params) => write({ method, params }),
    request(method, params) {
      const id = ++last;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(id, asked);
      write({ id, method, params });
      return asked.promise;
    },
    async run(handle) {
      const lines = createInterface({ input: stdin, terminal: false });
      signal.addEventListener("abort", () => lines.close());
      const work = new Set<Promise<void>>();
      for await (const line of lines) {
        if (line.trim() === "") continue;
        const done = answer(line.length > longestLine ? undefined : parseJson(line), handle).finally(() =>
          work.delete(done),
        );
        work.add(done);
      }
      for (const { reject } of waiting.values()) reject(new RpcError(0, "gone"));
      await Promise.all(work);
    },
  };
}
