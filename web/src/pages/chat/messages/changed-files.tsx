// What a turn changed, under its answer: files, opened next to the chat, saved, compared, put back; and the schedule.
import { FileMinus, FilePen, FilePlus, Undo2 } from "lucide-react";
import type { ChangedFile, TurnChanges } from "../../../../../src/api/files/turn-files.ts";
import { useWords } from "../../../app/preferences.tsx";
import { navigate, toPath } from "../../../app/router.tsx";
import { showToast } from "../../../app/toasts.tsx";
import { Button } from "../../../components/button.tsx";
import { Diff } from "../../../components/code.tsx";
import { DownloadLink } from "../../../components/preview/preview-panel.tsx";
import { useMutation, useQuery } from "../../../wire/hooks.tsx";
import { describeSchedule, useSpeaker } from "../../schedule/describe-schedule.ts";
import { useChat } from "../chat-actions.ts";

const icons = { created: FilePlus, changed: FilePen, removed: FileMinus };
const mostShown = 8;

export function ChangedFiles({ turnId }: { turnId: string }) {
  const words = useWords().files;
  const { sessionKey, canRewind } = useChat();
  const { data, refetch } = useQuery("files.changes", { sessionKey, turnId }, { topic: "files" });
  const undo = useUndo(turnId, refetch);
  if (data === undefined || data.files.length + data.jobs.length === 0) return null;
  const shown = data.files.slice(0, mostShown);
  const others = data.files.length - shown.length + data.more;
  return (
    <section aria-label={words.ofTurn} className="flex flex-wrap items-center gap-2">
      {shown
        .filter(({ isLasting, kind }) => isLasting && kind !== "removed" && !data.isUndone)
        .map(({ path }) => (
          <LastingCard key={path} path={path} turnId={turnId} />
        ))}
      {data.jobs.length > 0 && <ScheduleCard jobs={data.jobs} />}
      {shown.map((file) => (
        <FileChip key={file.path} file={file} turnId={turnId} isUndone={data.isUndone} />
      ))}
      {others > 0 && <span className="text-small text-muted">{words.others(others)}</span>}
      {data.isUndone ? (
        <span className="text-tiny text-muted">{words.isUndone}</span>
      ) : (
        canRewind && (
          <Button size="small" tone="quiet" icon={Undo2} isBusy={undo.isRunning} onClick={undo.run}>
            {words.undo}
          </Button>
        )
      )}
    </section>
  );
}

/** What later conversations begin with is shown as it changed, without a click. */
function LastingCard({ path, turnId }: { path: string; turnId: string }) {
  const words = useWords().files;
  const { sessionKey } = useChat();
  const { data } = useQuery("files.diff", { sessionKey, turnId, path }, { topic: "files" });
  return data?.diff === undefined ? null : <Card title={words.lasting(path)} diff={data.diff} />;
}

function ScheduleCard({ jobs }: { jobs: TurnChanges["jobs"] }) {
  const words = useWords().files;
  const speaker = useSpeaker("");
  const lines = jobs.map(({ name, message, schedule, isRemoved }) => {
    const said = [describeSchedule(schedule, speaker), name, ...(message === name ? [] : [message])];
    return `${isRemoved ? "-" : "+"}${said.join("; ").replaceAll(/\s+/g, " ")}`;
  });
  return <Card title={words.planned} diff={lines.join("\n")} />;
}

function Card({ title, diff }: { title: string; diff: string }) {
  const words = useWords().files;
  return (
    <div className="w-full overflow-hidden rounded-card border border-line bg-surface">
      <p className="px-3 pt-2 text-small font-medium">{title}</p>
      <div className="max-h-60 overflow-auto p-3">
        <Diff text={diff} label={words.diff} />
      </div>
    </div>
  );
}

interface FileChipProps {
  file: ChangedFile;
  turnId: string;
  isUndone: boolean;
}

function FileChip({ file: { path, name, kind }, turnId, isUndone }: FileChipProps) {
  const words = useWords().files;
  const { sessionKey } = useChat();
  const Icon = icons[kind];
  const isGone = kind === "removed" || (kind === "created" && isUndone);
  const place = new URLSearchParams({ file: path, turn: turnId });
  return (
    <span
      className={`flex h-9 max-w-full items-center overflow-hidden rounded-control border border-line bg-surface text-small ${isGone ? "opacity-60" : ""}`}
    >
      <button
        type="button"
        title={path}
        disabled={isGone}
        onClick={() => navigate(`${toPath("chat", sessionKey)}?${place}`)}
        className="flex h-full min-w-0 items-center gap-2 px-2.5 hover:bg-raised disabled:hover:bg-surface"
      >
        <Icon aria-hidden className="size-4 shrink-0 text-accent" />
        <span className={`truncate ${isGone ? "line-through" : ""}`}>{name}</span>
        <span className="shrink-0 text-tiny text-muted">{words.kinds[kind]}</span>
      </button>
      {!isGone && <DownloadLink path={path} name={name} />}
    </span>
  );
}

function useUndo(turnId: string, onDone: () => void): { isRunning: boolean; run(): void } {
  const words = useWords().files;
  const { sessionKey } = useChat();
  const { run, isRunning } = useMutation("chat.undo");
  const { run: undoJobs } = useMutation("jobs.undo");
  const undo = async () => {
    const outcome = await run({ sessionKey, turnId });
    if (!outcome.ok || outcome.result.undone === null) return;
    const { restored, left, hasJobs } = outcome.result.undone;
    if (hasJobs && (await undoJobs({ sessionKey, turnId })).ok)
      showToast({ text: words.jobsUndone, tone: "good" });
    onDone();
    if (restored.length > 0) showToast({ text: words.undone(restored.length), tone: "good" });
    if (left.length > 0) showToast({ text: words.partlyUndone(left.length) });
  };
  return { isRunning, run: () => void undo() };
}
