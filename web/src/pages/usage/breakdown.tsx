// Where it went: by day, cause, model, conversation or person, as a table and as a file for spreadsheets.
import { Download } from "lucide-react";
import { useState } from "react";
import type { UsageGroup } from "../../../../src/api/usage/usage.ts";
import { Button } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { saveFile } from "../../components/save-file.ts";
import { Section } from "../../components/section.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { FigureTable } from "./figure-table.tsx";
import { toAmount, type Unit } from "./figures.ts";

export function Breakdown({ from, unit }: { from: number; unit: Unit }) {
  const words = useWords().usage;
  const [by, setBy] = useState<UsageGroup>("cause");
  const query = useQuery("usage.report", { by, from }, { topic: "usage" });
  const csv = useMutation("usage.csv");
  const download = async () => {
    const outcome = await csv.run({ by, from });
    if (outcome.ok) saveFile(outcome.result.name, outcome.result.text, "text/csv");
  };
  const choice = (
    <div className="flex max-w-full flex-wrap gap-2">
      <Tabs label={words.breakdown} tabs={words.by} value={by} onChange={setBy} />
      <Button icon={Download} title={words.download} isBusy={csv.isRunning} onClick={download}>
        CSV
      </Button>
    </div>
  );
  return (
    <Section title={words.breakdown} aside={choice}>
      <Loaded query={query}>
        {({ rows, currency }) => {
          const sorted = rows.toSorted((a, b) => toAmount(b, unit) - toAmount(a, unit));
          const shown = by === "day" ? rows.toReversed() : sorted;
          return <FigureTable key={by} by={by} rows={shown} currency={currency} unit={unit} />;
        }}
      </Loaded>
    </Section>
  );
}
