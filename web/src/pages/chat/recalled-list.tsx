// What was recalled for a message; each leads to where it was said.
import { Brain } from "lucide-react";
import { useState } from "react";
import { navigate, toPath } from "../../app/router.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Time } from "../../components/time.tsx";
import type { UserPart } from "../../store/conversation.ts";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";

export function RecalledList({ recalled }: { recalled: UserPart["recalled"] }) {
  const words = useWords().chat;
  const [isOpen, setIsOpen] = useState(false);
  const { run } = useMutation("chat.find");
  const follow = async (reference: string) => {
    const outcome = await run({ reference });
    if (!outcome.ok) return;
    setIsOpen(false);
    navigate(toSource(outcome.result));
  };
  if (recalled.length === 0) return null;
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="inline-flex h-8 items-center gap-1.5 rounded-control px-2 text-tiny text-muted hover:bg-raised hover:text-ink"
      >
        <Brain aria-hidden className="size-3.5" />
        {words.recalled(recalled.length)}
      </button>
      <Dialog title={words.recalled(recalled.length)} isOpen={isOpen} onClose={() => setIsOpen(false)}>
        <ul className="-mx-2 flex flex-col">
          {recalled.map(({ reference, at, text }) => (
            <li key={reference}>
              <button
                type="button"
                onClick={() => void follow(reference)}
                className="w-full rounded-control px-2 py-2 text-left hover:bg-raised"
              >
                <span className="line-clamp-3 text-small">{text}</span>
                <Time at={at} className="text-tiny text-muted" />
              </button>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

/** The address of a message. */
export function toSource({ sessionKey, entryId }: { sessionKey: string; entryId: string }): string {
  return `${toPath("chat", sessionKey)}?at=${encodeURIComponent(entryId)}`;
}
