// The days of a time as a plot or as a table, in tokens or money.
import { useState } from "react";
import type { UsageFigures } from "../../../../src/server/protocol/usage.ts";
import { Card } from "../../components/card.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useWords } from "../../words/use-words.ts";
import { DayChart } from "./day-chart.tsx";
import { FigureTable } from "./figure-table.tsx";
import type { Unit } from "./figures.ts";

const units: Unit[] = ["tokens", "cost"];
const views = ["chart", "table"] as const;

export interface DaysCardProps {
  days: UsageFigures[];
  currency: string;
  unit: Unit;
  onUnit(unit: Unit): void;
}

export function DaysCard({ days, currency, unit, onUnit }: DaysCardProps) {
  const words = useWords().usage;
  const [view, setView] = useState<(typeof views)[number]>("chart");
  return (
    <Card className="p-5">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{words.perDay}</h2>
        <div className="flex flex-wrap gap-2">
          <Tabs
            label={words.unit}
            tabs={units.map((value) => ({ value, label: words.units[value] }))}
            value={unit}
            onChange={onUnit}
          />
          <Tabs
            label={words.view}
            tabs={views.map((value) => ({ value, label: words.views[value] }))}
            value={view}
            onChange={(next) => setView(next)}
          />
        </div>
      </div>
      {view === "chart" ? (
        <DayChart days={days} unit={unit} currency={currency} />
      ) : (
        <FigureTable by="day" rows={days.toReversed()} currency={currency} />
      )}
    </Card>
  );
}
