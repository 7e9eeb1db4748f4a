// What a turn changed that lasts, as cards: a title and what came and went. Knows no channel.
import type { LastingChange, LastingJob } from "../guards/labels/lasting-changes.ts";
import { describeSchedule } from "../i18n/describe-time.ts";
import type { Words } from "../i18n/words.ts";
import { toOneLine } from "../lib/text.ts";

const longestMessage = 1_000;

export interface LastingCard {
  title: string;
  diff: string;
}

export function toLastingCards(lasting: readonly LastingChange[], words: Words): LastingCard[] {
  const files = lasting.flatMap((change) => ("job" in change ? [] : [change]));
  const jobs = lasting.flatMap((change) => ("job" in change ? [describeJob(change.job, words)] : []));
  return [
    ...files.map(({ path, diff }) => ({ title: words.reply.changed(path), diff })),
    ...(jobs.length === 0 ? [] : [{ title: words.reply.planned, diff: jobs.join("\n") }]),
  ];
}

function describeJob({ name, message, schedule, isRemoved }: LastingJob, words: Words): string {
  const said = toOneLine(message, longestMessage);
  const when = describeSchedule(schedule, { words, timeZone: "" });
  return [isRemoved ? "-" : "+", [when, name, ...(said === name ? [] : [said])].join("; ")].join(" ");
}
