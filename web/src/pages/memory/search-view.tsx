// The search over memory and conversations, and forgetting what it finds.
import { Eraser, Search, SearchX } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Input } from "../../components/field.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useMutation, useQuery } from "../../wire/hooks.tsx";
import * as memoryTexts from "../../words/memory.ts";
import { PlaceList } from "./sources.tsx";

export function SearchView({ initial }: { initial: string }) {
  const words = useTopic(memoryTexts);
  const { shell } = useWords();
  const [text, setText] = useState(initial);
  const [query, setQuery] = useState(initial.trim());
  const { forget, isForgetting } = useForgetting();
  const search = (event: FormEvent) => {
    event.preventDefault();
    setQuery(text.trim());
  };
  return (
    <>
      <search>
        <form onSubmit={search} className="flex flex-wrap gap-2">
          <Input
            type="search"
            aria-label={words.searchLabel}
            placeholder={words.searchPlaceholder}
            maxLength={2_000}
            value={text}
            onChange={({ target }) => setText(target.value)}
            className="min-w-0 flex-1 basis-52"
          />
          <Button type="submit" tone="primary" icon={Search} disabled={text.trim() === ""}>
            {shell.search}
          </Button>
          <Button
            tone="danger"
            icon={Eraser}
            disabled={query === ""}
            isBusy={isForgetting}
            onClick={() => void forget(query)}
          >
            {words.forget}
          </Button>
        </form>
        <p className="mt-2 text-small text-muted">{words.searchHint}</p>
      </search>
      {query !== "" && <Found query={query} />}
    </>
  );
}

/** The operation itself asks before it forgets anything. */
function useForgetting() {
  const words = useTopic(memoryTexts);
  const { shell } = useWords();
  const forgetting = useMutation("memory.forget", { isQuiet: true });
  const restoring = useMutation("memory.restore");
  const forget = async (text: string) => {
    const outcome = await forgetting.run({ words: text });
    if (!outcome.ok) {
      const { code, message } = outcome.problem;
      return showToast({ text: message, ...(code !== "memory.not-forgotten" && { tone: "bad" }) });
    }
    const { version } = outcome.result;
    const undo = version && { label: shell.undo, run: () => void restoring.run({ id: version.id }) };
    showToast({ text: words.forgotten, ...(undo && { action: undo }) });
  };
  return { forget, isForgetting: forgetting.isRunning };
}

function Found({ query: wanted }: { query: string }) {
  const { nothingFound } = useWords().shell;
  const query = useQuery("memory.search", { query: wanted }, { topic: "memory" });
  return (
    <Loaded query={query} lines={6}>
      {({ hits }) =>
        hits.length === 0 ? (
          <EmptyState icon={SearchX} title={nothingFound} />
        ) : (
          <Card className="p-2">
            <PlaceList places={hits} />
          </Card>
        )
      }
    </Loaded>
  );
}
