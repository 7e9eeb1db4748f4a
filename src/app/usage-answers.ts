// `/usage`: what the models have taken today and this month; a guest hears of that guest's own alone.
import type { Origin } from "../bus/types.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Clock } from "../lib/clock.ts";
import type { UsageGroup, UsageRow } from "../llm/ledger.ts";
import type { Words } from "../words/words.ts";
import { describeUsage } from "./describe-usage.ts";
import type { Reached } from "./reach-control.ts";

export interface UsageAnswerParts {
  reach(): Promise<Reached>;
  loaded: LoadedConfig;
  clock: Clock;
  words: Words;
}

export async function answerUsage(
  { reach, loaded, clock, words }: UsageAnswerParts,
  { role, person, group }: Origin,
): Promise<string> {
  const { control } = await reach();
  const seesAll = role === "owner" && group === undefined;
  const by: UsageGroup = seesAll ? "cause" : "person";
  const isShown = (row: UsageRow) => seesAll || row.group === person;
  const day = new Date(clock.now());
  day.setHours(0, 0, 0, 0);
  const first = new Date(day);
  first.setDate(1);
  const today = await control.reportUsage({ by, from: day.getTime() });
  const month = await control.reportUsage({ by, from: first.getTime() });
  return describeUsage(
    {
      today: today.rows.filter(isShown),
      month: month.rows.filter(isShown),
      currency: month.currency,
      ...(seesAll && { budget: loaded.config.budget }),
    },
    words,
  );
}
