// The model of a conversation, and the list to choose another one from: presets, and what the host says it has.
import { ChevronDown, Search } from "lucide-react";
import { useState } from "react";
import { toBrowserKey } from "../../../../../src/bus/session-key.ts";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { navigate, toPath } from "../../../app/router.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { formatShort } from "../../../components/format.tsx";
import { type ModelChoice, ModelList } from "../../../components/model-list.tsx";
import { SkeletonLines } from "../../../components/states.tsx";
import { newId } from "../../../wire/connection.ts";
import { useMutation, useQuery, useSay, useStore } from "../../../wire/hooks.tsx";

interface ModelPickerProps {
  sessionKey: string | undefined;
  /** That answers here now. */
  model: string | undefined;
}

export function ModelPicker({ sessionKey, model }: ModelPickerProps) {
  const words = useWords().chat;
  const [isOpen, setIsOpen] = useState(false);
  const isOwner = useStore((state) => state.viewer?.role === "owner");
  const { data } = useQuery("chat.models", {}, { topic: "config", isEnabled: isOwner });
  const current = model || data?.current.name;
  if (current === undefined) return null;
  if (data === undefined || data.isGiven)
    return <span className="truncate px-2 text-small text-muted">{current}</span>;
  return (
    <>
      <button
        type="button"
        title={`${words.model}: ${current}`}
        aria-label={`${words.model}: ${current}`}
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
        className="flex h-8 min-w-0 items-center gap-1 rounded-control px-2 text-small text-muted hover:bg-raised hover:text-ink"
      >
        <span className="truncate">{current}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0" />
      </button>
      {isOpen && (
        <ModelDialog
          sessionKey={sessionKey}
          current={current}
          usual={data.usual.name}
          presets={data.presets}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

interface ModelDialogProps {
  sessionKey: string | undefined;
  current: string;
  usual: string;
  presets: readonly string[];
  onClose(): void;
}

/** A list with a search: some hosts have hundreds of models. */
export function ModelDialog({ sessionKey, current, usual, presets, onClose }: ModelDialogProps) {
  const words = useWords().chat;
  const { language } = usePreferences();
  const say = useSay();
  const [query, setQuery] = useState("");
  const { data, problem } = useQuery("models.list", {}, { topic: "config" });
  const choose = useChoose(sessionKey, onClose);
  const listed: ModelChoice[] = [
    { id: usual, note: words.usualModel },
    ...presets.filter((id) => id !== usual).map((id) => ({ id, note: words.preset })),
    ...(data?.models ?? [])
      .filter(({ id }) => id !== usual && !presets.includes(id))
      .map(({ id, window }) => ({
        id,
        note: window === undefined ? "" : words.window(formatShort(window, language)),
      })),
  ];
  const found = listed.filter(({ id }) => id.toLowerCase().includes(query.trim().toLowerCase()));
  const failure = problem?.message ?? (data?.problem && say(data.problem));
  return (
    <Dialog title={words.chooseModel} onClose={onClose} problem={choose.problem}>
      <div className="relative mb-3">
        <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-muted" />
        <input
          type="search"
          autoFocus
          aria-label={words.searchModels}
          placeholder={words.searchModels}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-9 w-full rounded-control bg-raised pr-2 pl-8 text-small"
        />
      </div>
      <div className="-mx-2">
        <ModelList
          label={words.chooseModel}
          choices={found}
          current={current}
          isDisabled={choose.isRunning}
          onChoose={(id) => void choose.run(id === usual ? undefined : id)}
        />
      </div>
      {data === undefined && problem === undefined && <SkeletonLines count={3} />}
      {failure && <p className="mt-2 text-small text-muted">{failure}</p>}
    </Dialog>
  );
}

/** A conversation that nothing was said in yet begins with the choice. */
function useChoose(sessionKey: string | undefined, onDone: () => void) {
  const viewer = useStore((state) => state.viewer);
  const { run, isRunning, problem } = useMutation("chat.choose-model", { isQuiet: true });
  return {
    isRunning,
    problem: problem?.message,
    async run(model: string | undefined) {
      const owner = { person: "owner", role: "owner" } as const;
      const key = sessionKey ?? toBrowserKey(newId().slice(0, 16), viewer ?? owner);
      const outcome = await run({ sessionKey: key, ...(model !== undefined && { model }) });
      if (!outcome.ok) return;
      onDone();
      if (sessionKey === undefined) navigate(toPath("chat", key));
    },
  };
}
