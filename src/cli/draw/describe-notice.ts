// What happened between the assistant and a model host, in one line.
import type { Notice } from "../../bus/live.ts";
import { say, type Words } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";

export function describeNotice(notice: Notice, words: Words): string {
  const reason = say(notice.reason, words);
  switch (notice.kind) {
    case "retry": {
      const seconds = Math.max(1, Math.round(notice.waitMs / 1000));
      return neutralise(words.chat.retry(reason, seconds, notice.attempt));
    }
    case "fallback":
      return neutralise(words.chat.fallback(notice.from, notice.to, reason));
    case "images-dropped":
      return neutralise(words.chat.imagesDropped(reason));
    case "budget":
    case "waiting":
      return neutralise(reason);
  }
}
