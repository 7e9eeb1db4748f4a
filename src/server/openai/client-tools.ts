// Tools of a client: the model may call them, and the client runs them. A call ends the turn; its result comes with the
// client's next request.
import * as z from "zod";
import type { JsonSchema } from "../../llm/types.ts";
import type { Tool } from "../../runner/tool.ts";

export interface ClientTool {
  name: string;
  description: string;
  parameters: JsonSchema;
}

/** A call that the client has to run. */
export interface HandedCall {
  id: string;
  name: string;
  /** JSON text of an object. */
  arguments: string;
}

const mostTools = 128;
const record = z.record(z.string(), z.unknown());

/** In the form of chat completions. Kinds that only OpenAI itself could run are left out. */
export const clientTools = z
  .array(
    z.object({
      type: z.string(),
      function: z
        .object({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().max(20_000).nullish(),
          parameters: record.nullish(),
        })
        .optional(),
    }),
  )
  .max(mostTools)
  .transform((tools) =>
    tools.flatMap(({ function: tool }): ClientTool[] => {
      if (tool === undefined) return [];
      const { name, description, parameters } = tool;
      return [
        {
          name,
          description: description ?? "",
          parameters: parameters ?? { type: "object", properties: {} },
        },
      ];
    }),
  );

/** Its calls go to `hand`; they settle when the turn is ended because of that. */
export function toTool(
  { name, description, parameters }: ClientTool,
  hand: (call: HandedCall) => void,
): Tool {
  return {
    name,
    description,
    // The client checks what it gets.
    parameters: {
      jsonSchema: parameters,
      parse: (input) => ({ ok: true, value: input }),
    },
    // Several calls of one reply are handed over together.
    readOnly: true,
    execute(args, { callId, signal }) {
      hand({ id: callId, name, arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}) });
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  };
}
