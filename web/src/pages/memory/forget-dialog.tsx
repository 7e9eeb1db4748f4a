// Shows exactly what would be forgotten, and forgets it when that is confirmed.
import type { ReactNode } from "react";
import type { ForgetPreview } from "../../../../src/api/memory/memory.ts";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { PlaceList } from "./place-list.tsx";

export function ForgetDialog({ text, onClose }: { text: string; onClose(): void }) {
  const words = useWords().memory;
  const shell = useWords().shell;
  const { showToast } = useToasts();
  const query = useQuery("memory.preview", { words: text });
  const { data, refetch } = query;
  const forgetting = useMutation("memory.forget", { isQuiet: true });
  const restoring = useMutation("memory.restore");
  const count = data ? Object.values(data.counts).reduce((sum, each) => sum + each, 0) : 0;
  const forget = async () => {
    if (data === undefined) return;
    const outcome = await forgetting.run({ words: text, digest: data.digest });
    if (!outcome.ok) return refetch();
    const { version } = outcome.result;
    const undo = version && { label: shell.undo, run: () => void restoring.run({ id: version.id }) };
    showToast({ text: words.forgotten, ...(undo && { action: undo }) });
    onClose();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{shell.cancel}</Button>
      <Button tone="danger" disabled={count === 0} isBusy={forgetting.isRunning} onClick={forget}>
        {words.forgetNow}
      </Button>
    </>
  );
  return (
    <Dialog
      title={words.forgetTitle(text)}
      isOpen
      width="wide"
      onClose={onClose}
      actions={actions}
      problem={forgetting.problem?.message}
    >
      <Loaded query={query}>
        {(preview) =>
          count === 0 ? <p className="text-muted">{words.forgetNothing}</p> : <Preview preview={preview} />
        }
      </Loaded>
    </Dialog>
  );
}

function Preview({ preview }: { preview: ForgetPreview }) {
  const words = useWords().memory;
  const { lines, messages, summaries, counts } = preview;
  return (
    <div className="flex flex-col gap-4">
      <p className="text-small text-muted">{words.forgetAbout}</p>
      <Group title={words.forgetLines} count={counts.lines} shown={lines.length}>
        <ul className="flex flex-col gap-1 text-small">
          {lines.map(({ file, number, line }) => (
            <li key={`${file}:${number}`} className="rounded-control bg-bad-soft px-2.5 py-1.5 break-words">
              <span className="mr-2 font-mono text-tiny text-muted">{`${file}:${number}`}</span>
              {line}
            </li>
          ))}
        </ul>
      </Group>
      <Group title={words.forgetMessages} count={counts.messages} shown={messages.length}>
        <PlaceList places={messages} />
      </Group>
      <Group title={words.forgetSummaries} count={counts.summaries} shown={summaries.length}>
        <PlaceList places={summaries} />
      </Group>
    </div>
  );
}

interface GroupProps {
  title(count: number): string;
  count: number;
  shown: number;
  children: ReactNode;
}

function Group({ title, count, shown, children }: GroupProps) {
  const words = useWords().memory;
  if (count === 0) return null;
  return (
    <section>
      <h3 className="mb-1.5 text-small font-medium">{title(count)}</h3>
      {children}
      {count > shown && <p className="mt-1 text-small text-muted">{words.andMore(count - shown)}</p>}
    </section>
  );
}
