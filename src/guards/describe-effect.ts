// A call's effect as a question shows it: what would happen, and all that is known of it.
import type { Approval } from "../bus/ask.ts";
import { phrase } from "../i18n/phrase.ts";
import { toOneLine } from "../lib/text.ts";
import type { Effect } from "../runner/tool.ts";

const longestName = 100;

export function describeEffect(effect: Effect): Pick<Approval, "phrase" | "detail"> {
  switch (effect.type) {
    case "fetch":
      return { phrase: phrase("approval.fetch", { host: toHost(effect.url) }), detail: effect.url };
    case "send": {
      const [channel, chatId] = [toName(effect.channel), toName(effect.chatId)];
      const detail = effect.text ?? `${channel}:${chatId}`;
      return { phrase: phrase("approval.send", { channel, chatId }), detail };
    }
    case "schedule":
      return { phrase: phrase("approval.schedule"), detail: effect.what };
    case "spawn":
      return { phrase: phrase("approval.spawn"), detail: effect.task };
    case "call": {
      const [tool, server] = [toName(effect.tool), toName(effect.server)];
      const detail = effect.input === undefined ? "" : JSON.stringify(effect.input, null, 1);
      return { phrase: phrase("approval.call", { tool, server }), detail };
    }
    case "run":
      return { phrase: phrase("approval.run", {}), detail: effect.command };
    case "read":
    case "write":
      return { phrase: phrase("approval.use-file", { path: toName(effect.path) }), detail: effect.path };
  }
}

function toHost(url: string): string {
  return toName(URL.parse(url)?.host ?? url);
}

function toName(text: string): string {
  return toOneLine(text, longestName);
}
