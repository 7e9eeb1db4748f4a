// Every limit with how much of it is used.
import type { BudgetState } from "../../../../src/api/usage/usage.ts";
import { Link, toPath } from "../../app/router.tsx";
import { Badge } from "../../components/card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { useNumbers } from "../../components/number.ts";
import { Section } from "../../components/section.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";

const fills = { free: "bg-series-1", near: "bg-warn", over: "bg-bad" };
const tones = { free: "plain", near: "warn", over: "bad" } as const;

export function Budgets() {
  const words = useWords().usage;
  const { short, share } = useNumbers();
  const query = useQuery("usage.budgets", {}, { topic: "usage" });
  const change = (
    <Link to={toPath("settings", "budget")} className="text-small text-accent hover:underline">
      {words.changeLimits}
    </Link>
  );
  return (
    <Section title={words.budgets} aside={change}>
      <Loaded query={query}>
        {({ turn, warnAt, budgets, currency }) => {
          const most = turn.tokens ? words.tokens(short(Math.max(0, turn.tokens))) : words.noLimit;
          return (
            <>
              <p className="mb-4 text-small text-muted">{words.budgetsAbout(most, share(warnAt))}</p>
              <ul className="grid gap-x-8 gap-y-4 md:grid-cols-2">
                {budgets.map((budget) => (
                  <Limit key={toKey(budget)} budget={budget} currency={currency} />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function toKey({ period, cause, person, unit }: BudgetState): string {
  return [period, cause, person, unit].join("|");
}

function Limit({ budget, currency }: { budget: BudgetState; currency: string }) {
  const words = useWords().usage;
  const numbers = useNumbers();
  const { period, cause, person, unit, used, most, state } = budget;
  const name = cause === undefined ? (person ?? words.everything) : (words.causes[cause] ?? cause);
  const format = (amount: number) =>
    unit === "money" ? numbers.money(amount, currency) : words.tokens(numbers.short(amount));
  const label = `${name} · ${words.periods[period]}`;
  const share = most === 0 ? 1 : used / most;
  return (
    <li>
      <div className="mb-1 flex items-baseline justify-between gap-2 text-small">
        <span className="truncate font-medium">{label}</span>
        <span className="flex items-center gap-2 text-muted tabular-nums">
          {state !== "free" && <Badge tone={tones[state]}>{words.states[state]}</Badge>}
          {numbers.share(share)}
        </span>
      </div>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
        <div
          className={`h-2 rounded-full ${fills[state]}`}
          style={{ width: `${Math.min(1, share) * 100}%` }}
        />
      </div>
      <p className="mt-1 text-tiny text-muted tabular-nums">{words.used(format(used), format(most))}</p>
    </li>
  );
}
