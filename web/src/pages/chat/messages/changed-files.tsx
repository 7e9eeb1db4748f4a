// The files that a turn made, changed or removed, under its answer: opened next to the chat, saved, compared, put back.
import { FileMinus, FilePen, FilePlus, Undo2 } from "lucide-react";
import type { ChangedFile } from "../../../../../src/api/files/turn-files.ts";
import { useWords } from "../../../app/preferences.tsx";
import { navigate, toPath } from "../../../app/router.tsx";
import { showToast } from "../../../app/toasts.tsx";
import { Button } from "../../../components/button.tsx";
import { Diff } from "../../../components/code.tsx";
import { DownloadLink } from "../../../components/preview/preview-panel.tsx";
import { useMutation, useQuery } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";

const icons = { created: FilePlus, changed: FilePen, removed: FileMinus };
const mostShown = 8;

export function ChangedFiles({ turnId }: { turnId: string }) {
  const words = useWords().files;
  const { sessionKey, canRewind } = useChat();
  const { data, refetch } = useQuery("files.changes", { sessionKey, turnId }, { topic: "files" });
  const undo = useUndo(turnId, refetch);
  if (data === undefined || data.files.length === 0) return null;
  const shown = data.files.slice(0, mostShown);
  const others = data.files.length - shown.length + data.more;
  return (
    <section aria-label={words.ofTurn} className="flex flex-wrap items-center gap-2">
      {shown
        .filter(({ isLasting, kind }) => isLasting && kind !== "removed" && !data.isUndone)
        .map(({ path }) => (
          <LastingCard key={path} path={path} turnId={turnId} />
        ))}
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
  if (data?.diff === undefined) return null;
  return (
    <div className="w-full overflow-hidden rounded-card border border-line bg-surface">
      <p className="px-3 pt-2 text-small font-medium">{words.lasting(path)}</p>
      <div className="max-h-60 overflow-auto p-3">
        <Diff text={data.diff} label={words.diff} />
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
  const undo = async () => {
    const outcome = await run({ sessionKey, turnId });
    if (!outcome.ok || outcome.result.undone === null) return;
    onDone();
    const { restored, left } = outcome.result.undone;
    showToast({ text: words.undone(restored.length), tone: "good" });
    if (left.length > 0) showToast({ text: words.partlyUndone(left.length) });
  };
  return { isRunning, run: () => void undo() };
}
