// Keeps secrets out of what tools report: results, errors, progress. What was taken out cannot be written back in its
// place, so that a file with a key in it does not lose the key.
import { CommandStopped } from "../../lib/abort.ts";
import { isDataFile, isSecretFile, withholdFields } from "../../lib/formats/secret-fields.ts";
import { type Redactor, secretMark } from "../../lib/redact.ts";
import type { ContentPart, Message, ModelRequest, Provider } from "../../llm/types.ts";
import { type Effect, type ToolContext, ToolError, type ToolWrapper } from "../../runner/tool.ts";

export function withRedaction(redactor: Redactor, options: RedactionOptions = {}): ToolWrapper {
  return (tool) => ({
    ...tool,
    async execute(args, context) {
      const effects = tool.effects?.(args) ?? [];
      refuseMark(effects);
      const redact = await toRedact(effects, context, { redactor, ...options });
      const progress = (text: string) => context.progress(redact(text));
      try {
        const result = await tool.execute(args, { ...context, progress });
        return { ...result, content: redactContent(result.content, redact) };
      } catch (error) {
        if (error instanceof CommandStopped) error.output = redact(error.output);
        context.signal.throwIfAborted();
        if (!(error instanceof Error) || redact(error.message) === error.message) throw error;
        throw new ToolError(redact(error.message));
      }
    },
  });
}

interface RedactionOptions {
  /** What the files that a command names hold, as far as they hold nothing but secrets. */
  findSecrets?(effect: Effect & { type: "run" }, context: ToolContext): Promise<string[]>;
}

/** What a file or command shows is cleaned of secrets by their names, too, unless the owner allowed it for this file. */
async function toRedact(
  effects: readonly Effect[],
  context: ToolContext,
  { redactor, findSecrets }: RedactionOptions & { redactor: Redactor },
): Promise<Redactor["redact"]> {
  const { redact, redactValues } = redactor;
  const read = effects.find((effect) => effect.type === "read");
  if (read?.showsSecrets === true) return redactValues;
  if (read !== undefined && isSecretFile(read.path)) return (text) => withholdLines(redact(text));
  if (read !== undefined && isDataFile(read.path))
    return (text) => redact(withholdFields(text, secretMark, { isData: true }));
  const run = effects.find((effect) => effect.type === "run");
  const secrets = (run && (await findSecrets?.(run, context))) ?? [];
  const isForeign = effects.some(({ type }) => type === "call");
  if (read === undefined && run === undefined && !isForeign) return redact;
  return (text) =>
    redact(
      withholdFields(
        secrets.reduce((clean, secret) => clean.replaceAll(secret, secretMark), text),
        secretMark,
      ),
    );
}

/** Of a file that holds nothing else, only the number of its lines is shown. */
function withholdLines(text: string): string {
  return text.replaceAll(/^(\s*\d+[|:-] ?).*\S.*$/gm, `$1${secretMark}`);
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

type Clean = (text: string) => string;

export function withoutSecrets(provider: Provider, clean: Clean): Provider {
  const known = new WeakMap<Message, Message>();

  function cleanOnce(message: Message): Message {
    const cleaned = known.get(message) ?? cleanMessage(message, clean);
    known.set(message, cleaned);
    return cleaned;
  }

  return {
    stream: (request: ModelRequest, signal) =>
      provider.stream({ ...request, messages: request.messages.map(cleanOnce) }, signal),
  };
}

export function cleanMessage(message: Message, clean: Clean): Message {
  const changed: Record<string, unknown> = {};
  const { content } = message;
  if (content !== null) replace(changed, "content", content, cleanContent(content, clean));
  if (message.role === "assistant") {
    const { tool_calls: calls, reasoning_content: reasoning } = message;
    if (reasoning !== undefined) replace(changed, "reasoning_content", reasoning, clean(reasoning));
    if (calls?.some((call) => clean(call.function.arguments) !== call.function.arguments))
      changed.tool_calls = calls.map((call) => ({
        ...call,
        function: { ...call.function, arguments: clean(call.function.arguments) },
      }));
  }
  return Object.keys(changed).length === 0 ? message : ({ ...message, ...changed } as Message);
}

function replace(changed: Record<string, unknown>, field: string, before: unknown, after: unknown): void {
  if (after !== before) changed[field] = after;
}

function cleanContent(content: string | ContentPart[], clean: Clean): string | ContentPart[] {
  if (typeof content === "string") return clean(content);
  const parts = content.map((part) =>
    part.type === "text" && clean(part.text) !== part.text ? { ...part, text: clean(part.text) } : part,
  );
  return parts.every((part, index) => part === content[index]) ? content : parts;
}
