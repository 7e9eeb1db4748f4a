// The memories that were recalled for a message, and the way to where they were said.
import { Brain } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import { navigate } from "../../../app/router.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Time } from "../../../components/format.tsx";
import type { UserPart } from "../../../store/conversation.ts";
import { useMutation } from "../../../wire/hooks.tsx";
import { toMessagePath } from "../sessions/sessions.ts";

export function RecalledList({ recalled }: { recalled: UserPart["recalled"] }) {
  const words = useWords().chat;
  const [isOpen, setIsOpen] = useState(false);
  const { run } = useMutation("chat.find");
  const follow = async (reference: string) => {
    const outcome = await run({ reference });
    if (!outcome.ok) return;
    setIsOpen(false);
    navigate(toMessagePath(outcome.result));
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
      {isOpen && (
        <Dialog title={words.recalled(recalled.length)} onClose={() => setIsOpen(false)}>
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
      )}
    </>
  );
}
