// One file of memory: to read, to edit, and to ask of each line where it came from.
import { FilePen } from "lucide-react";
import { useState } from "react";
import type { MemoryText } from "../../../../src/api/memory/memory.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./drafts.ts";
import { LineTrace } from "./line-trace.tsx";
import { TextEditor } from "./text-editor.tsx";

type Mode = "read" | "edit" | "trace";

export function FileEditor({ path }: { path: string }) {
  const query = useQuery("memory.read", { path }, { topic: "memory" });
  return (
    <Loaded query={query} lines={8}>
      {(file) => <OpenFile file={file} refetch={query.refetch} />}
    </Loaded>
  );
}

function OpenFile({ file, refetch }: { file: MemoryText; refetch(): void }) {
  const words = useWords().memory;
  const { path, text } = file;
  const draft = useDraft(path);
  const [mode, setMode] = useState<Mode>(draft === undefined ? "read" : "edit");
  return (
    <Card>
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <h2 className="truncate font-mono text-small">{path}</h2>
        <Tabs label={words.mode} tabs={words.modes} value={mode} onChange={setMode} />
      </header>
      <div className="px-4 py-4 md:px-6">
        {mode === "read" && <Reading text={draft?.text ?? text} onWrite={() => setMode("edit")} />}
        {mode === "trace" && <LineTrace text={text} />}
        {mode === "edit" && <TextEditor file={file} refetch={refetch} />}
      </div>
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
