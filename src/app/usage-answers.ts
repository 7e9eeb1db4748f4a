// `/usage`: what the models have taken today and this month; a guest hears of that guest's own alone.
import type { Origin } from "../bus/types.ts";
import type { LoadedConfig } from "../config/load.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { UsageGroup, UsageRow } from "../llm/ledger.ts";
import { describeUsage } from "./describe-usage.ts";
import { startOf } from "./list-budgets.ts";
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
  const now = clock.now();
  const today = await control.reportUsage({ by, from: startOf("day", now) });
  const month = await control.reportUsage({ by, from: startOf("month", now) });
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
