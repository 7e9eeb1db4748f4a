// The model of a conversation, and the list to choose another one from: presets, and what the host says it has.
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { toBrowserKey } from "../../../../../src/bus/session-key.ts";
import { useWords } from "../../../app/preferences.tsx";
import { navigate, toPath } from "../../../app/router.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { type ModelChoice, ModelPicker } from "../../../components/model-picker.tsx";
import { SkeletonLines } from "../../../components/states.tsx";
import { newId } from "../../../wire/connection.ts";
import { useMutation, useQuery, useSay, useStore } from "../../../wire/hooks.tsx";
import { useIsDemo } from "../demo-strip.tsx";

interface ModelButtonProps {
  sessionKey: string | undefined;
  /** That answers here now. */
  model: string | undefined;
}

export function ModelButton({ sessionKey, model }: ModelButtonProps) {
  const words = useWords().chat;
  const [isOpen, setIsOpen] = useState(false);
  const isOwner = useStore((state) => state.viewer?.role === "owner");
  const isDemo = useIsDemo();
  const { data } = useQuery("chat.models", {}, { topic: "config", isEnabled: isOwner });
  const current = model || data?.current.name;
  // The demo has a button of its own that leads to a model.
  if (current === undefined || isDemo) return null;
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

export function ModelDialog({ sessionKey, current, usual, presets, onClose }: ModelDialogProps) {
  const words = useWords().chat;
  const say = useSay();
  const [query, setQuery] = useState("");
  const { data, problem } = useQuery("models.list", {}, { topic: "config" });
  const choose = useChoose(sessionKey, onClose);
  const hosted = data?.models ?? [];
  const models: ModelChoice[] = [
    { id: usual, ...hosted.find(({ id }) => id === usual), mark: words.usualModel },
    ...presets.filter((id) => id !== usual).map((id) => ({ id, mark: words.preset })),
    ...hosted.filter(({ id }) => id !== usual && !presets.includes(id)),
  ];
  const failure = problem?.message ?? (data?.problem && say(data.problem));
  return (
    <Dialog title={words.chooseModel} onClose={onClose} problem={choose.problem}>
      <ModelPicker
        label={words.searchModels}
        placeholder={words.searchModels}
        models={models}
        text={query}
        query={query}
        current={current}
        isDisabled={choose.isRunning}
        onText={setQuery}
        onChoose={(id) => void choose.run(id === usual ? undefined : id)}
      />
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
