// Slash commands about the conversation itself: its beginning and end, its state, its files, its subagents, and what the owner allows in it.
import type { SubagentStatus } from "../../agent/subagents.ts";
import { describeLabels } from "../../i18n/describe-ask.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { findListed } from "../../lib/language/nearest.ts";
import { toOneLine, toPlainLine } from "../../lib/text.ts";
import { reveal } from "../../lib/visible-text.ts";
import type { ChatModels, ChatStatus } from "../chat/conversation.ts";
import { describeContext } from "../context/describe-context.ts";
import { describeWants } from "../skills/describe-wants.ts";
import { describeUsage } from "../usage/describe-usage.ts";
import type { SlashCall, SlashCommand } from "./command.ts";

const mostListed = 30;
const longestName = 200;

export const modelCommand: SlashCommand = {
  name: "model",
  when: "now",
  takesText: true,
  async run({ client, words }, text) {
    if (text === "") return describeModels(await client.call("chat.models", {}), words);
    const isUsual = text.toLowerCase() === "default";
    const { name, host } = await client.call("chat.choose-model", isUsual ? {} : { model: text });
    const { isDefault, chosen } = words.answers.model;
    return (isUsual ? isDefault : chosen)(name, host);
  },
};

function describeModels({ current, presets, isGiven }: ChatModels, words: Words): string {
  const { model: answers } = words.answers;
  const first = answers.current(current.name, current.host);
  if (isGiven) return `${first}\n${say(phrase("chat.model-given"), words)}`;
  if (presets.length === 0) return `${first}\n${answers.none}`;
  const rows = presets.slice(0, mostListed).map((name) => `- ${toPlainLine(name, longestName)}`);
  return [first, "", answers.known, ...rows, "", answers.how].join("\n");
}

export const contextCommand: SlashCommand = {
  name: "context",
  when: "now",
  run: async ({ client, words, sessionKey }) =>
    describeContext(await client.call("context.inspect", { sessionKey }), words),
};

export const usageCommand: SlashCommand = {
  name: "usage",
  when: "now",
  takesText: true,
  run: async ({ client, words }) => describeUsage(await client.call("usage.summary", {}), words),
};

const longestShown = 120;

const mostNamed = 20;

export const conversationCommands: readonly SlashCommand[] = [
  {
    name: "help",
    when: "now",
    async run({ words: { reply } }) {
      const rows = Object.entries(reply.commands).map(([name, about]) => `- /${name}: ${about}`);
      return [reply.helpHeading, ...rows, "", reply.helpFooter].join("\n");
    },
  },
  {
    name: "new",
    when: "idle",
    stopsTurn: true,
    async run({ client, words }) {
      await client.call("chat.new", {});
      return words.reply.newSession;
    },
  },
  {
    name: "compact",
    when: "idle",
    takesText: true,
    async run({ client, words, signal }, focus) {
      const options = { ...(signal && { signal }) };
      const { archived, freed } = await client.call("chat.compact", { focus }, options);
      return archived === 0 ? words.reply.nothingToCompact : words.reply.compacted(archived, format(freed));
    },
  },
  {
    // What `chat.stop` does, the loop did when it took the command.
    name: "stop",
    when: "now",
    stopsTurn: true,
    run: async ({ words, stopped }) =>
      stopped > 0 ? words.reply.stopped(stopped) : words.reply.nothingToStop,
  },
  {
    name: "status",
    when: "now",
    run: async ({ client, words }) => describeStatus(await client.call("chat.status", {}), words),
  },
  {
    name: "undo",
    when: "idle",
    async run({ client, words: { undo } }) {
      const { undone } = await client.call("chat.undo", {});
      if (undone === null) return undo.nothing;
      const { restored, left, lost, lostCount, isPartial, commands, hasJobs, turnId } = undone;
      const { names: jobs } = hasJobs ? await client.call("jobs.undo", { turnId }) : { names: [] };
      const list = (paths: string[], count = paths.length) => {
        const shown = paths.slice(0, mostNamed);
        return shown.length === count ? shown.join(", ") : undo.more(shown.join(", "), count - shown.length);
      };
      const lines = [
        ...(restored.length === 0 ? [] : [undo.restored(list(restored))]),
        ...(jobs.length === 0 ? [] : [undo.jobs(list(jobs))]),
        ...(left.length === 0 ? [] : [undo.left(list(left))]),
        ...(lostCount === 0 ? [] : [undo.lost(list(lost, lostCount))]),
        ...(isPartial ? [undo.partial] : []),
        ...(commands.length === 0 ? [] : [undo.commands(commands.map((line) => `\`${line}\``).join(", "))]),
      ];
      return lines.join("\n") || undo.nothing;
    },
  },
  {
    name: "trust",
    when: "now",
    takesText: true,
    async run({ client, words }, text) {
      const [skill = "", code] = text.split(/\s+/);
      if (/[a-z]/i.test(skill)) return grantSkill(client, words, { name: skill, code });
      const params = text === "" ? {} : { minutes: Number(text) || 0 };
      const { until, remembered } = await client.call("trust.give", params);
      return [words.trust.given(toTime(until)), describeRemembered(remembered, words)].join("\n\n");
    },
  },
  {
    name: "untrust",
    when: "now",
    takesText: true,
    async run({ client, words }, text) {
      const { trust } = words;
      if (text !== "") {
        const { forgotten } = await client.call("trust.forget", { which: text });
        return forgotten.map((subject) => trust.forgotten(show(subject))).join("\n");
      }
      const { wasGiven, remembered } = await client.call("trust.end", {});
      const ending = wasGiven ? trust.ended : trust.notGiven;
      return [ending, describeRemembered(remembered, words)].join("\n\n");
    },
  },
  {
    name: "agents",
    when: "now",
    takesText: true,
    async run({ client, words, now }, text) {
      const [, wanted] = /^stop\s+(.{1,200})$/i.exec(text) ?? [];
      if (text !== "" && wanted === undefined) return words.subagents.usage;
      const { subagents } = await client.call("subagents.list", {});
      if (wanted !== undefined) {
        const id = findListed(subagents, wanted, ({ label }) => label);
        return words.subagents.stopped((await client.call("subagents.stop", { id })).label);
      }
      if (subagents.length === 0) return words.subagents.none;
      return subagents
        .map((status, index) => `${index + 1}. ${describeSubagent(status, words, now)}`)
        .join("\n");
    },
  },
  {
    name: "title",
    when: "now",
    takesText: true,
    async run({ client, words, sessionKey }, text) {
      const { title } = await (text === ""
        ? client.call("chat.title", { sessionKey })
        : client.call("chat.label", { sessionKey, title: toPlainLine(text, longestName) }));
      return words.answers.titled(toPlainLine(title, longestName));
    },
  },
  {
    name: "export",
    when: "now",
    takesText: true,
    async run({ client, words }) {
      const { messages, path } = await client.call("chat.save", {});
      return words.answers.export.done(messages, path);
    },
  },
];

/** First what it would be, then, with the first letters of the hash that was looked at, the grant. */
async function grantSkill(
  client: SlashCall["client"],
  words: Words,
  wanted: { name: string; code: string | undefined },
): Promise<string> {
  const skill = await client.call("skills.show", { name: wanted.name.slice(0, 200) });
  const { name, hash } = skill;
  const code = hash.slice(0, 8);
  if (wanted.code !== code)
    return [...describeWants(skill, words), words.skills.grantCode(name, code)].join("\n");
  await client.call("skills.grant", { name, hash, isGranted: true });
  return words.skills.granted(name);
}

function describeStatus(status: ChatStatus, words: Words): string {
  const { model, usage, trustedUntil, labels } = status;
  const lines = words.reply.status;
  const { contextWindow } = model;
  return [
    lines.version(status.version),
    lines.model(model.name, model.host, say(model.why, words)),
    describeTokens(usage, lines),
    lines.context(format(usage.context), format(contextWindow), percent(usage.context, contextWindow)),
    lines.messages(status.messages),
    lines.uptime(describeDuration(status.uptimeMs, words)),
    lines.turns(status.activeTurns),
    ...(trustedUntil === undefined ? [] : [words.trust.until(toTime(trustedUntil))]),
    ...(labels.length === 0 ? [] : [words.trust.outside(describeLabels(labels, words))]),
  ].join("\n");
}

/** A host that counts nothing leaves our own estimate of the last request. */
function describeTokens(
  { input, output, cached, context }: ChatStatus["usage"],
  lines: Words["reply"]["status"],
): string {
  if (input > 0) return lines.tokens(format(input), format(output), percent(cached, input));
  return context > 0 ? lines.estimatedTokens(format(context)) : lines.noTokens;
}

function describeRemembered(remembered: readonly string[], { trust }: Words): string {
  if (remembered.length === 0) return trust.nothingRemembered;
  const rows = remembered.map((subject, index) => `${index + 1}. \`${show(subject)}\``);
  return [trust.rememberedHead, ...rows, trust.forget].join("\n");
}

function describeSubagent(
  { label, state, startedAt, step, toolCalls, lastCalls }: SubagentStatus,
  { subagents: words }: Words,
  now: number,
): string {
  const seconds = Math.round((now - startedAt) / 1000);
  const progress = state === "waiting" ? words.waiting : words.progress(step, toolCalls);
  const row = words.row(label, seconds, progress);
  return lastCalls.length === 0 ? row : `${row}\n   ${lastCalls.at(-1)}`;
}

function describeDuration(ms: number, { schedule: { units, and } }: Words): string {
  const seconds = Math.floor(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours > 0) return and(units.hour(hours), units.minute(minutes % 60));
  return minutes > 0 ? and(units.minute(minutes), units.second(seconds % 60)) : units.second(seconds);
}

function percent(part: number, whole: number): number {
  return whole > 0 ? Math.min(999, Math.round((part / whole) * 100)) : 0;
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}

function show(subject: string): string {
  return toOneLine(reveal(subject).replaceAll("`", "'"), longestShown);
}

/** `2026-08-01 10:00`, local. */
function toTime(at: number): string {
  return toLocalIso(at).slice(0, 16).replace("T", " ");
}
