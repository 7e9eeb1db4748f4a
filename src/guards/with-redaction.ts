// Keeps secrets out of what tools report: results, errors, progress. What was taken out cannot be written back in its
// place, so that a file with a key in it does not lose the key.
import { type Redactor, secretMark } from "../lib/redact.ts";
import type { ContentPart } from "../llm/types.ts";
import { type Effect, ToolError, type ToolWrapper } from "../runner/tool.ts";

export function withRedaction({ redact }: Redactor): ToolWrapper {
  return (tool) => ({
    ...tool,
    async execute(args, context) {
      refuseMark(tool.effects?.(args) ?? []);
      const progress = (text: string) => context.progress(redact(text));
      try {
        const result = await tool.execute(args, { ...context, progress });
        return { ...result, content: redactContent(result.content, redact) };
      } catch (error) {
        context.signal.throwIfAborted();
        if (!(error instanceof Error) || redact(error.message) === error.message) throw error;
        throw new ToolError(redact(error.message));
      }
    },
  });
}

function redactContent(content: string | ContentPart[], redact: Redactor["redact"]): string | ContentPart[] {
  if (typeof content === "string") return redact(content);
  return content.map((part) => (part.type === "text" ? { ...part, text: redact(part.text) } : part));
}

function refuseMark(effects: Effect[]): void {
  const isMarked = effects.some((effect) => effect.type === "write" && effect.text?.includes(secretMark));
  if (!isMarked) return;
  throw new ToolError(
    `"${secretMark}" stands for a key or password that you may not see. Leave its line as it is: edit only other lines.`,
  );
}
