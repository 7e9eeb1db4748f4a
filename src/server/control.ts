// Control: what other commands may ask of a running gateway. One type; in the gateway it is the parts themselves, in
// another process it is HTTP. Every method takes one JSON value and gives one back.
import type { ModelRuntime } from "../agent/model-runtime.ts";
import type { Inspection } from "../context/inspection.ts";
import type { DreamOutcome } from "../dream/dream.ts";
import type { Version } from "../dream/versions.ts";
import type { Forgettable } from "../recall/forget.ts";

/** What is asked of the assistant itself, about the owner's conversations and memory. */
export interface AssistantControl {
  inspectContext(wish: { sessionKey: string; text: string }): Promise<InspectedContext>;
  dream(wish: object, signal?: AbortSignal): Promise<DreamOutcome>;
  findForgettable(wish: { words: string }): Promise<Forgettable>;
  forget(wish: { found: Forgettable; words: string }): Promise<{ version?: Version }>;
  restoreMemory(wish: { id: string }): Promise<Version>;
}

export interface InspectedContext {
  settings: ModelRuntime["settings"];
  inspection: Inspection;
}

export type Control = AssistantControl;

/** The gateway understood the wish and did not do it; the message says why. */
export class ControlError extends Error {
  override name = "ControlError";
}

export interface GatewayAddress {
  pid: number;
  url: string;
  token: string;
}

const silent = "The gateway of this home has just ended, or does not answer. Try again.";

/** What refused it before it was a wish, such as a failure of the server, says so in a form of its own. */
interface ControlReply {
  result?: unknown;
  error?: string | { message: string };
}

/** Over HTTP, to the gateway of this home. */
export function createControlClient({ url, token }: GatewayAddress, fetch = globalThis.fetch): Control {
  const call = async (name: string, wish: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/control/${name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(wish),
    }).catch((error: unknown) => {
      if (error instanceof TypeError) throw new ControlError(silent);
      throw error;
    });
    const { result, error } = (await response.json()) as ControlReply;
    if (error !== undefined) throw new ControlError(typeof error === "string" ? error : error.message);
    return result;
  };
  return new Proxy({} as Control, {
    // Nobody may take it for a promise.
    get: (_target, name) => (name === "then" ? undefined : (wish: unknown) => call(String(name), wish)),
  });
}
