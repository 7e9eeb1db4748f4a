// A call's effect as a question shows it: what would happen, and all that is known of it.
import type { AskRequest } from "../bus/ask.ts";
import { englishGuards } from "../i18n/en/guards.ts";
import { toOneLine } from "../lib/text.ts";
import type { Effect } from "../runner/tool.ts";

const longestName = 100;

export function describeEffect(effect: Effect): Pick<AskRequest, "title" | "detail"> {
  switch (effect.type) {
    case "fetch":
      return { title: englishGuards.fetchTitle(toHost(effect.url)), detail: effect.url };
    case "send": {
      const address = toOneLine(`${effect.channel}:${effect.chatId}`, longestName);
      return { title: englishGuards.sendTitle(address), detail: effect.text ?? address };
    }
    case "schedule":
      return { title: englishGuards.scheduleTitle, detail: effect.what };
    case "spawn":
      return { title: englishGuards.spawnTitle, detail: effect.task };
    case "call": {
      const [tool, server] = [effect.tool, effect.server].map((name) => toOneLine(name, longestName));
      const detail = effect.input === undefined ? "" : JSON.stringify(effect.input, null, 1);
      return { title: englishGuards.callTitle(tool ?? "", server ?? ""), detail };
    }
    case "run":
      return { title: englishGuards.runTitle, detail: effect.command };
    case "read":
    case "write":
      return { title: englishGuards.fileTitle, detail: effect.path };
  }
}

function toHost(url: string): string {
  return toOneLine(URL.parse(url)?.host ?? url, longestName);
}
