// What the gateway shows above every page: a lost connection, the question of an operation, its progress.
import { ShieldCheck, WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { QuestionDetail } from "../components/code.tsx";
import { Dialog } from "../components/dialog.tsx";
import { reveal } from "../components/text.tsx";
import type { PendingQuestion } from "../store/reduce.ts";
import { useMutation, useQuery, useSay, useStore, useWire } from "../wire/hooks.tsx";
import { useWords } from "./preferences.tsx";

const patienceMs = 800;

export function LinkBanner() {
  const words = useWords().shell;
  const { connection } = useWire();
  const link = useStore((state) => state.link);
  const command = useStore((state) => state.command);
  const isShown = useLasts(link === "offline", patienceMs);
  if (link === "outdated")
    return (
      <Banner text={words.outdated}>
        <Button size="small" onClick={() => location.reload()}>
          {words.reload}
        </Button>
      </Banner>
    );
  if (!isShown) return null;
  return (
    <Banner text={words.offline} hint={words.offlineHint(command)}>
      <Button size="small" onClick={() => void connection.connect()}>
        {words.retry}
      </Button>
    </Banner>
  );
}

function Banner({ text, hint, children }: { text: string; hint?: string; children: React.ReactNode }) {
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-warn-soft px-4 py-1.5 text-small text-warn"
    >
      <WifiOff aria-hidden className="size-4" />
      <span>{text}</span>
      {hint && <span className="max-md:hidden">{hint}</span>}
      {children}
    </div>
  );
}

/** True once the condition has held for some time: short interruptions are not shown. */
function useLasts(isTrue: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!isTrue) return setLasts(false);
    const timer = setTimeout(() => setLasts(true), ms);
    return () => clearTimeout(timer);
  }, [isTrue, ms]);
  return isTrue && lasts;
}

export function QuestionDialog() {
  const pending = useStore((state) => state.questions[0]);
  return pending && <OpenQuestion key={pending.questionId} pending={pending} />;
}

function OpenQuestion({ pending: { requestId, questionId, question } }: { pending: PendingQuestion }) {
  const { store, connection } = useWire();
  const say = useSay();
  const { choices, detail = "" } = question;
  const refusal = choices.at(-1)?.id ?? "";
  const title = reveal(say(question.phrase));
  const answer = (choice: string) => {
    store.dispatch({ type: "answered", requestId });
    void connection.ask("questions.answer", { questionId, choice });
  };
  const actions = choices.toReversed().map(({ id, phrase }) => (
    <Button key={id} tone={id === refusal ? undefined : "primary"} onClick={() => answer(id)}>
      {say(phrase)}
    </Button>
  ));
  return (
    <Dialog title={title} width="wide" onClose={() => answer(refusal)} actions={actions}>
      {detail !== "" && <QuestionDetail detail={detail} title={title} />}
    </Dialog>
  );
}

export function ProgressLine() {
  const progress = useStore((state) => [...state.progress.values()].at(-1));
  const say = useSay();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-3 top-3 flex justify-center">
      {progress && (
        <p className="max-w-md truncate rounded-card border border-line bg-surface px-4 py-1.5 text-small">
          {say(progress.phrase)}
        </p>
      )}
    </div>
  );
}

/** Says that changes wait for a restart, with the button for it. */
export function RestartNote({ text, canRestart }: { text: string; canRestart: boolean }) {
  const words = useWords().shell;
  const restart = useMutation("gateway.restart", { done: () => ({ text: words.restarting }) });
  return (
    <div
      role="status"
      className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-warn-soft px-5 py-3 text-small text-warn"
    >
      <span className="min-w-0 flex-1 break-words">{text}</span>
      {canRestart && (
        <Button size="small" isBusy={restart.isRunning} onClick={() => void restart.run({})}>
          {words.restart}
        </Button>
      )}
    </div>
  );
}

/** Which sandbox commands run in, or why there is none and what to do. */
export function SandboxNote() {
  const words = useWords().shell;
  const say = useSay();
  const { data } = useQuery("gateway.status", {});
  if (data === undefined) return null;
  return (
    <span className="mt-1 flex items-start gap-2 text-small text-muted">
      <ShieldCheck aria-hidden className="size-4 shrink-0 translate-y-0.5" />
      <span className="min-w-0 break-words">
        {words.sandbox}: {say(data.sandbox)}
      </span>
    </span>
  );
}
