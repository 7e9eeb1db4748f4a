// Labels what a call brings in from outside, and remembers what was written with such content in mind. What a tool says
// of its own results stays; this adds what follows from the files, addresses and commands that the call declares.
import { joinLabels, withLabels as toField } from "../lib/labels.ts";
import {
  type Effect,
  type ToolContext,
  ToolError,
  type ToolResult,
  type ToolWrapper,
} from "../runner/tool.ts";
import { findNamedLabels, findTargetLabels, type IncomingOptions } from "./incoming-labels.ts";
import { findAddresses, type SeenAddresses } from "./seen-addresses.ts";
import { markWrite, unmarkWrite, type WrittenOptions } from "./written-labels.ts";

export interface LabelsOptions extends IncomingOptions, WrittenOptions {
  seen: SeenAddresses;
}

export function withLabels(options: LabelsOptions): ToolWrapper {
  const { seen } = options;

  function rememberAddresses(effect: Effect, text: string, { sessionKey }: ToolContext, given: string): void {
    if (effect.type !== "fetch") return;
    // What the call itself said may come back in its result, and was not written by a stranger.
    const found = findAddresses(text).filter((address) => !given.includes(address));
    seen.add(sessionKey, [effect.url, ...found]);
  }

  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const declared = effects(args);
        const targets = declared.map((effect) => findTargetLabels(effect, context, options));
        const known = joinLabels(...(await Promise.all(targets)));
        for (const effect of declared) if (effect.type === "write") await markWrite(effect, context, options);
        const result = await runLabelled(() => tool.execute(args, context), known, context);
        const text = toText(result);
        const named: string[][] = [];
        for (const effect of declared) {
          named.push(await findNamedLabels(effect, text, { ...options, origin: context.origin }));
          rememberAddresses(effect, text, context, JSON.stringify(args) ?? "");
          if (effect.type === "write" && result.isError !== true) await unmarkWrite(effect, context, options);
        }
        return { ...result, ...toField(joinLabels(result.labels ?? [], known, ...named)) };
      },
    };
  };
}

/** An error has no labels: where there are some, it becomes a result. */
async function runLabelled(
  run: () => Promise<ToolResult>,
  labels: string[],
  { signal }: ToolContext,
): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (labels.length === 0 || signal.aborted || !(error instanceof ToolError)) throw error;
    return { content: error.message, isError: true, labels };
  }
}

function toText({ content }: ToolResult): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
