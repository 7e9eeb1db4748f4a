// The figures of a time for a spreadsheet.
import { Download } from "lucide-react";
import type { UsageBy } from "../../../../src/server/protocol/usage.ts";
import { Button } from "../../components/button.tsx";
import { saveFile } from "../../components/save-file.ts";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";

export function DownloadButton({ by, from }: { by: UsageBy; from: number }) {
  const words = useWords().usage;
  const csv = useMutation("usage.csv");
  const download = async () => {
    const outcome = await csv.run({ by, from });
    if (outcome.ok) saveFile(outcome.result.name, outcome.result.text, "text/csv");
  };
  return (
    <Button
      icon={Download}
      isBusy={csv.isRunning}
      title={words.downloadHint(words.by[by])}
      onClick={download}
    >
      CSV
    </Button>
  );
}
