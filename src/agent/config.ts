// The config keys of the agent: its part of `agents.defaults`. Model settings are in llm/, dream in memory/.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const name = z.string().min(1);
const count = z.int().min(1);
const on = z.boolean().default(true);
const off = z.boolean().default(false);

export const agentDefaultsSchema = z.object({
  workspace: name
    .default("~/.nanobot/workspace")
    .describe("Folder of the assistant's files; without this key, `workspace` in the home"),
  bootstrapFiles: z
    .array(name)
    .max(8)
    .default(["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md"])
    .describe("Files of the workspace that are part of every prompt, in this order"),
  contextBlockLimit: count.optional().describe("Most tokens of input, where the window is not the limit"),
  maxToolIterations: count.default(200).describe("Most model calls in one turn"),
  maxConcurrentTurns: z.int().min(0).default(16).describe("Conversations worked on at once; 0 for no limit"),
  maxConcurrentSubagents: count.default(3).describe("Subagents that run at once; more of them wait"),
  failOnToolError: on.describe("A subagent stops at its first failed tool call"),
  maxToolResultChars: count.default(16_000).describe("Longer tool results are stored and shown in part"),
  toolHintMaxLength: z
    .int()
    .min(20)
    .max(500)
    .default(40)
    .describe("Characters of the line about a tool call"),
  timezone: optionalText.describe("IANA time zone; without this key, the system's"),
  timezoneMode: z
    .enum(["auto", "manual"])
    .optional()
    .describe(
      "`auto` follows the system, `manual` takes `timezone`; without this key, `manual` where one is given",
    ),
  botName: name.default("nanobot").describe("The assistant's name"),
  botIcon: text.default("🐈").describe("A sign before the name"),
  unifiedSession: off.describe("All channels share one conversation"),
  disabledSkills: z.array(text).default([]).describe("Skills that are not used"),
  epochIdleMinutes: z
    .number()
    .min(0)
    .default(60)
    .describe("After this pause the prompt is rebuilt, because the provider's cache has expired"),
  idleCompactAfterMinutes: z
    .int()
    .min(0)
    .default(15)
    .describe("After this pause a conversation is summarised; 0 for never"),
  idleCompactCheckIntervalSeconds: z.int().min(0).default(60).describe("How often to look for such pauses"),
  consolidationRatio: z
    .number()
    .min(0.1)
    .max(0.95)
    .default(0.5)
    .describe("Share of the context window to keep when older messages are summarised"),
});
