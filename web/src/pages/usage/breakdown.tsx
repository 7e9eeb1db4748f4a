// Where it went: by cause, model, conversation or person, the largest first.
import { useState } from "react";
import type { UsageBy } from "../../../../src/server/protocol/usage.ts";
import { Card } from "../../components/card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { DownloadButton } from "./download-button.tsx";
import { FigureTable } from "./figure-table.tsx";
import { toAmount, type Unit } from "./figures.ts";

type By = Exclude<UsageBy, "day">;

const choices: By[] = ["cause", "model", "session", "person"];

export function Breakdown({ from, unit }: { from: number; unit: Unit }) {
  const words = useWords().usage;
  const [by, setBy] = useState<By>("cause");
  const query = useQuery("usage.report", { by, from }, { topic: "usage" });
  return (
    <Card className="p-5">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{words.breakdown}</h2>
        <div className="flex flex-wrap gap-2">
          <Tabs
            label={words.breakdown}
            tabs={choices.map((value) => ({ value, label: words.by[value] }))}
            value={by}
            onChange={(next) => setBy(next)}
          />
          <DownloadButton by={by} from={from} />
        </div>
      </div>
      <Loaded query={query}>
        {({ rows, currency }) => {
          const sorted = rows.toSorted((a, b) => toAmount(b, unit) - toAmount(a, unit));
          const most = Math.max(...sorted.map((row) => toAmount(row, unit))) || 1;
          const toShare = (row: (typeof rows)[number]) => toAmount(row, unit) / most;
          return <FigureTable key={by} by={by} rows={sorted} currency={currency} toShare={toShare} />;
        }}
      </Loaded>
    </Card>
  );
}
