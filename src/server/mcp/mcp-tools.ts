// What programs can ask of the assistant over MCP: a row for each tool, which calls operations. Knows no transport.
import * as z from "zod";
import type { OperationName, ParamsOf, ResultOf } from "../../api/index.ts";

/** Runs an operation with the rights of the program. */
export type CallOperation = <Name extends OperationName>(
  name: Name,
  params: ParamsOf<Name>,
) => Promise<ResultOf<Name>>;

export interface ServedTool<Schema extends z.ZodType = z.ZodType> {
  name: string;
  description: string;
  /** All of them have to be allowed. */
  operations: readonly OperationName[];
  isReadOnly?: true;
  schema: Schema;
  /** What the program reads. */
  run(args: z.output<Schema>, call: CallOperation): Promise<string>;
}

function tool<Schema extends z.ZodType>(row: ServedTool<Schema>): ServedTool {
  return row as unknown as ServedTool;
}

const memoryFile = "memory/MEMORY.md";
/** Where jobs of programs report to: the owner's page. */
const ownerChat = { channel: "web", chatId: "schedule" };
const mostHits = 20;

export const servedTools: readonly ServedTool[] = [
  tool({
    name: "ask",
    description:
      "Asks the assistant and waits for its answer. It uses its own tools and memory; what would need a person's approval is refused.",
    operations: ["terminal.ask"],
    schema: z.strictObject({
      message: z.string().min(1).max(100_000),
      conversation: z
        .string()
        .regex(/^[\w-]{1,64}$/)
        .default("mcp")
        .describe("Messages with the same name belong together"),
    }),
    async run({ message, conversation }, call) {
      const sessionKey = `cli:${conversation}`;
      // What a program says may come from anywhere.
      const asked = { sessionKey, text: message, labels: ["caller"], canAsk: false };
      return (await call("terminal.ask", asked)).text;
    },
  }),
  tool({
    name: "remember",
    description: "Adds a fact to the assistant's long-term memory.",
    operations: ["memory.read", "memory.save"],
    schema: z.strictObject({ fact: z.string().min(1).max(2_000) }),
    async run({ fact }, call) {
      const { text, hash } = await call("memory.read", { path: memoryFile });
      const line = `- ${fact.replaceAll(/\s+/g, " ").trim()}`;
      if (text.split("\n").includes(line)) return "This is known already.";
      const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
      await call("memory.save", { path: memoryFile, text: `${before}${line}\n`, hash });
      return "Remembered.";
    },
  }),
  tool({
    name: "search_memory",
    description: "Finds something in all that was said and written.",
    operations: ["memory.search"],
    isReadOnly: true,
    schema: z.strictObject({ query: z.string().min(1).max(1_000) }),
    run: async ({ query }, call) =>
      JSON.stringify((await call("memory.search", { query })).hits.slice(0, mostHits), null, 2),
  }),
  tool({
    name: "list_jobs",
    description: "The reminders and tasks that are planned.",
    operations: ["jobs.list"],
    isReadOnly: true,
    schema: z.strictObject({}),
    run: async (_args, call) => JSON.stringify((await call("jobs.list", {})).jobs, null, 2),
  }),
  tool({
    name: "add_job",
    description:
      "Plans a reminder or task from one sentence, English or Chinese: every weekday at 9 read me the news.",
    operations: ["jobs.read", "jobs.add"],
    schema: z.strictObject({ text: z.string().min(1).max(2_000) }),
    async run({ text }, call) {
      const { draft } = await call("jobs.read", { text });
      if (draft === undefined) throw new NotUnderstood();
      const { message, schedule, name } = draft;
      const planned = {
        message,
        schedule,
        labels: ["caller"],
        chat: ownerChat,
        ...(name !== undefined && { name }),
      };
      const { id, name: made, nextRunAtMs } = await call("jobs.add", planned);
      return JSON.stringify({ id, name: made, nextRunAtMs });
    },
  }),
  tool({
    name: "send_message",
    description: "Sends a text to a chat that the assistant knows.",
    operations: ["outbox.send"],
    schema: z.strictObject({
      channel: z.string().min(1).max(64).describe("Such as telegram"),
      chatId: z.string().min(1).max(200),
      text: z.string().min(1).max(2_000),
    }),
    async run(message, call) {
      await call("outbox.send", message);
      return "Queued for sending.";
    },
  }),
];

/** The sentence says neither what nor when. */
export class NotUnderstood extends Error {
  override name = "NotUnderstood";
}
