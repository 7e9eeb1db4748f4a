// One file of memory: to read, to edit, and to ask of each line where it came from.
import { FilePen } from "lucide-react";
import { useState } from "react";
import type { MemoryText } from "../../../../src/server/protocol/memory.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { TextArea } from "../../components/field.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { LineTrace } from "./line-trace.tsx";
import { type Draft, useSave } from "./use-save.ts";

export type { Draft } from "./use-save.ts";

type Mode = "read" | "edit" | "trace";

const modes: Mode[] = ["read", "edit", "trace"];

export interface FileEditorProps {
  path: string;
  draft: Draft | undefined;
  onDraft(draft: Draft | undefined): void;
}

export function FileEditor({ path, draft, onDraft }: FileEditorProps) {
  const words = useWords().memory;
  const [mode, setMode] = useState<Mode>(draft === undefined ? "read" : "edit");
  const { data, problem, refetch } = useQuery("memory.read", { path }, { topic: "memory" });
  const saving = useSave(path, { onDraft, refetch });
  if (problem) return <ErrorState message={problem.message} onRetry={refetch} />;
  if (data === undefined) return <SkeletonLines count={8} />;
  return (
    <Card>
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <h2 className="truncate font-mono text-small">{path}</h2>
        <Tabs
          label={words.mode}
          tabs={modes.map((value) => ({ value, label: words.modes[value] }))}
          value={mode}
          onChange={(next) => setMode(next)}
        />
      </header>
      <div className="px-4 py-4 md:px-6">
        {mode === "read" && <Reading text={draft?.text ?? data.text} onWrite={() => setMode("edit")} />}
        {mode === "trace" && <LineTrace text={data.text} />}
        {mode === "edit" && <Editing file={data} draft={draft} onDraft={onDraft} saving={saving} />}
      </div>
      {saving.conflict && draft && (
        <ConflictDialog
          conflict={saving.conflict}
          onClose={saving.clear}
          onMine={(hash) => saving.save({ ...draft, hash })}
          onTheirs={() => {
            onDraft(undefined);
            saving.clear();
            refetch();
          }}
        />
      )}
    </Card>
  );
}

function Reading({ text, onWrite }: { text: string; onWrite(): void }) {
  const words = useWords().memory;
  if (text.trim() !== "") return <Markdown text={text} />;
  return (
    <EmptyState
      icon={FilePen}
      title={words.emptyFile}
      action={<Button onClick={onWrite}>{words.write}</Button>}
    />
  );
}

interface EditingProps {
  file: MemoryText;
  draft: Draft | undefined;
  onDraft(draft: Draft | undefined): void;
  saving: ReturnType<typeof useSave>;
}

function Editing({ file, draft, onDraft, saving }: EditingProps) {
  const words = useWords().memory;
  const { path, text, hash } = file;
  const save = () => draft && saving.save(draft);
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        aria-label={words.editor(path)}
        value={draft?.text ?? text}
        spellCheck={false}
        rows={20}
        className="resize-y font-mono text-small leading-6"
        onChange={({ target }) => {
          const isBack = target.value === text && (draft === undefined || draft.hash === hash);
          onDraft(isBack ? undefined : { text: target.value, hash: draft?.hash ?? hash });
        }}
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
          event.preventDefault();
          save();
        }}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {draft && <span className="mr-auto text-small text-warn">{words.unsaved}</span>}
        <Button tone="quiet" disabled={draft === undefined} onClick={() => onDraft(undefined)}>
          {words.discard}
        </Button>
        <Button tone="primary" disabled={draft === undefined} isBusy={saving.isRunning} onClick={save}>
          {words.save}
        </Button>
      </div>
    </div>
  );
}
