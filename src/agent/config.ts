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
    .describe("Folder with the assistant's files. Default: `workspace` in the home"),
  bootstrapFiles: z
    .array(name)
    .max(8)
    .default(["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md"])
    .describe("Workspace files included in every prompt, in this order"),
  contextBlockLimit: count.optional().describe("Maximum input tokens, if lower than the context window"),
  maxToolIterations: count.default(200).describe("Maximum number of model calls in one turn"),
  maxConcurrentTurns: z
    .int()
    .min(0)
    .default(16)
    .describe("Conversations processed at the same time; 0 means no limit"),
  maxConcurrentSubagents: count.default(3).describe("Subagents that run at the same time; more of them wait"),
  failOnToolError: on.describe("A subagent stops at its first failed tool call"),
  maxToolResultChars: count
    .default(16_000)
    .describe("Tool results longer than this many characters are saved to a file and shown in part"),
  toolHintMaxLength: z
    .int()
    .min(20)
    .max(500)
    .default(40)
    .describe("Maximum length of the line that announces a tool call, in characters"),
  timezone: optionalText.describe("IANA time zone, such as `Europe/Berlin`. Default: the system's"),
  timezoneMode: z
    .enum(["auto", "manual"])
    .optional()
    .describe(
      "`auto` uses the system's time zone, `manual` the one that is set here. Default: `manual` if one is set",
    ),
  botName: name.default("nanobot").describe("The assistant's name"),
  botIcon: text.default("🐈").describe("Icon shown before the name"),
  generateTitles: on.describe(
    "The model gives each conversation in the browser a title after the first answer",
  ),
  unifiedSession: off.describe("All channels share one conversation"),
  disabledSkills: z.array(text).default([]).describe("Skills that are turned off"),
  epochIdleMinutes: z
    .number()
    .min(0)
    .default(60)
    .describe(
      "Minutes of inactivity after which the prompt is rebuilt, because the provider's cache has expired",
    ),
  idleCompactAfterMinutes: z
    .int()
    .min(0)
    .default(15)
    .describe("Minutes of inactivity after which a conversation is summarised; 0 means never"),
  idleCompactCheckIntervalSeconds: z
    .int()
    .min(0)
    .default(60)
    .describe("Seconds between checks for inactive conversations"),
  consolidationRatio: z
    .number()
    .min(0.1)
    .max(0.95)
    .default(0.5)
    .describe("Share of the context window that is kept when older messages are summarised"),
});
