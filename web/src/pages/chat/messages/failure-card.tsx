// A turn that failed: the cause in one line, and what to do about it.
import { CircleAlert, RotateCw, Settings, Sparkles } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import { navigate, toPath } from "../../../app/router.tsx";
import { Button } from "../../../components/button.tsx";
import { Markdown } from "../../../components/markdown/markdown.tsx";
import { useQuery, useStore } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";
import { ModelDialog } from "../composer/model-button.tsx";

/** `turnId`: what was asked is asked again. */
export function FailureCard({ text, turnId }: { text: string; turnId: string | undefined }) {
  const { chat: words, shell } = useWords();
  const { actions, canRewind, isOwner, sessionKey } = useChat();
  const [isChoosing, setIsChoosing] = useState(false);
  const { data } = useQuery("chat.models", {}, { topic: "config", isEnabled: isOwner });
  const model = useStore((state) => state.conversations.get(sessionKey)?.model);
  const asked = useStore((state) =>
    state.conversations.get(sessionKey)?.parts.find(({ kind, id }) => kind === "user" && id === turnId),
  );
  const canRetry = canRewind && asked?.kind === "user" && !asked.isSystem;
  return (
    <section
      role="alert"
      aria-label={words.failure}
      className="flex flex-col gap-3 rounded-card border border-bad bg-bad-soft px-4 py-3"
    >
      <div className="flex gap-2.5">
        <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
        <div className="min-w-0 flex-1 text-small">
          <Markdown isSaid text={text} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2">
        {canRetry && (
          <Button
            size="small"
            tone="primary"
            icon={RotateCw}
            onClick={() => void actions.replace(asked.id, { text: asked.text })}
          >
            {shell.retry}
          </Button>
        )}
        {isOwner && data?.isGiven === false && (
          <Button size="small" icon={Sparkles} onClick={() => setIsChoosing(true)}>
            {words.changeModel}
          </Button>
        )}
        {isOwner && (
          <Button size="small" icon={Settings} onClick={() => navigate(toPath("settings"))}>
            {shell.pages.settings}
          </Button>
        )}
      </div>
      {isChoosing && data && (
        <ModelDialog
          sessionKey={sessionKey}
          current={model || data.current.name}
          usual={data.usual.name}
          presets={data.presets}
          onClose={() => setIsChoosing(false)}
        />
      )}
    </section>
  );
}
