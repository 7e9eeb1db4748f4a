// The first of the settings: which model answers now, and the form to choose another one.
import { ChevronDown, Cpu } from "lucide-react";
import { useState } from "react";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { ErrorState, Skeleton } from "../../components/states.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useSay } from "../../words/use-say.ts";
import { useWords } from "../../words/use-words.ts";
import { ModelForm } from "./model-form.tsx";

export function ModelCard() {
  const words = useWords().settings.model;
  const say = useSay();
  const { showToast } = useToasts();
  const state = useQuery("models.state", {}, { topic: "config" });
  const hosts = useQuery("models.hosts", {}, { topic: "config" });
  const [isOpen, setIsOpen] = useState(false);
  const problem = state.problem ?? hosts.problem;
  if (problem) return <ErrorState message={problem.message} onRetry={state.refetch} />;
  if (!state.data || !hosts.data) return <Skeleton className="h-24" />;
  const { model, host, why, isOffline } = state.data;
  const current = hosts.data.hosts.find(({ label, name }) => label === host || name === host);
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-4 px-5 py-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
          <Cpu aria-hidden className="size-5" />
        </span>
        <div className="min-w-52 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold break-words">
            {isOffline ? words.offline : model}
            {isOffline && <Badge tone="warn">{words.offlineMark}</Badge>}
          </h2>
          <p className="text-small text-muted">
            {isOffline ? words.offlineAbout : words.from(host, say(why))}
          </p>
        </div>
        <Button icon={ChevronDown} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {words.choose}
        </Button>
      </div>
      {isOpen && (
        <div className="border-t border-line p-5 *:max-w-xl">
          <ModelForm
            canTest
            hosts={hosts.data.hosts}
            {...(current && { start: { host: current.name, model } })}
            onDone={() => {
              showToast({ text: words.saved, tone: "good" });
              setIsOpen(false);
            }}
          />
        </div>
      )}
    </Card>
  );
}
