// Switches between the versions of what a message began: asked again, edited, or answered again.
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import { IconButton } from "../../../components/button.tsx";
import type { StepPart } from "../../../store/conversation.ts";
import { useStore } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";

/** `isUnanswered`: only where the turn has no answer that could show it. */
export function VersionSwitch({ turn, isUnanswered = false }: { turn: string; isUnanswered?: boolean }) {
  const words = useWords().chat.versions;
  const { actions, canRewind, sessionKey, versions } = useChat();
  const [isBusy, setIsBusy] = useState(false);
  const keys = versions.get(turn) ?? [];
  const isAnswered = useStore((state) =>
    state.conversations
      .get(sessionKey)
      ?.parts.some((part) => part.kind === "step" && part.turn === turn && hasFooter(part)),
  );
  if (keys.length < 2 || (isUnanswered && isAnswered)) return null;
  const index = keys.indexOf("");
  const show = async (version: string | undefined) => {
    if (version === undefined) return;
    setIsBusy(true);
    await actions.switchVersion(turn, version);
    setIsBusy(false);
  };
  const isStill = isBusy || !canRewind;
  return (
    <fieldset aria-label={words.group} className="flex items-center text-tiny text-muted">
      <IconButton
        label={words.previous}
        icon={ChevronLeft}
        disabled={isStill || index === 0}
        onClick={() => void show(keys[index - 1])}
      />
      <span className="tabular-nums">{`${index + 1}/${keys.length}`}</span>
      <IconButton
        label={words.next}
        icon={ChevronRight}
        disabled={isStill || index === keys.length - 1}
        onClick={() => void show(keys[index + 1])}
      />
    </fieldset>
  );
}

/** Where the answer shows them, or will when it has ended. */
function hasFooter({ cost, calls, text, isFailed }: StepPart): boolean {
  return cost !== undefined || (calls.length === 0 && text !== "" && !isFailed);
}
