// At the foot of the page: what was changed and not saved, and what waits for the next start.
import { RotateCw, Save } from "lucide-react";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";
import type { Settings } from "./use-settings.ts";

export function SaveBar({ settings }: { settings: Settings }) {
  const words = useWords().settings;
  const { showToast } = useToasts();
  const { changes, problem } = settings;
  const restart = useMutation("gateway.restart");
  const isUnsure = problem?.code === "config.unsure";
  if (changes.length === 0) return null;
  const save = async () => {
    const saved = await settings.save();
    if (saved === undefined) return;
    const action = { label: words.restart, run: () => void restart.run({}) };
    const isWaiting = saved.waiting.length > 0 && saved.canRestart;
    showToast({ text: words.saved, tone: "good", ...(isWaiting && { action, text: words.savedForLater }) });
  };
  return (
    <section
      aria-label={words.unsaved(changes.length)}
      className="sticky bottom-4 z-10 flex animate-appear flex-wrap items-center gap-3 rounded-card border border-strong-line bg-surface px-5 py-3"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">{words.unsaved(changes.length)}</p>
        {problem && (
          <p role="alert" className="text-small text-bad">
            {describeProblem(problem)}
          </p>
        )}
      </div>
      <Button onClick={settings.discard}>{words.discard}</Button>
      <Button tone={isUnsure ? "danger" : "primary"} icon={Save} isBusy={settings.isSaving} onClick={save}>
        {isUnsure ? words.saveSure : words.save}
      </Button>
    </section>
  );
}

function describeProblem({ code, message, fields = [] }: NonNullable<Settings["problem"]>): string {
  if (code === "config.unsure") return message;
  return [message, ...fields.map(({ path, message: reason }) => `${path}: ${reason}`)].join(" ");
}

export function RestartBanner({ settings }: { settings: Settings }) {
  const words = useWords().settings;
  const restart = useMutation("gateway.restart");
  const { waiting = [], canRestart = false } = settings.query.data ?? {};
  if (waiting.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-warn-soft px-5 py-3 text-warn">
      <div className="min-w-0 flex-1">
        <p className="font-medium">{words.waiting}</p>
        <p className="font-mono text-tiny break-words">{waiting.join(", ")}</p>
      </div>
      {canRestart && (
        <Button icon={RotateCw} isBusy={restart.isRunning} onClick={() => void restart.run({})}>
          {words.restart}
        </Button>
      )}
    </div>
  );
}
