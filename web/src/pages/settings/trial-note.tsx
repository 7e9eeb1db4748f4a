// What came of a trial: it works, or why not.
import { CircleCheck, CircleX } from "lucide-react";
import type { HostCard } from "../../../../src/api/models/models.ts";
import { useWords } from "../../words/use-words.ts";
import type { ShownTrial } from "./use-trial.ts";

export function TrialNote({ trial, hosts }: { trial: ShownTrial | undefined; hosts: HostCard[] }) {
  const words = useWords().settings.model;
  if (trial === undefined) return <div aria-live="polite" />;
  const Icon = trial.ok ? CircleCheck : CircleX;
  const tone = trial.ok ? "bg-good-soft text-good" : "bg-bad-soft text-bad";
  const label = trial.ok ? (hosts.find(({ name }) => name === trial.host)?.label ?? trial.host) : "";
  return (
    <div aria-live="polite">
      <p className={`flex items-start gap-2 rounded-control px-3 py-2 text-small ${tone}`}>
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">
          {trial.ok ? words.works(label, (trial.ms / 1000).toFixed(1)) : trial.message}
        </span>
      </p>
    </div>
  );
}
