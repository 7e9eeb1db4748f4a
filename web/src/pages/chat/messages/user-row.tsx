// A message of the user, or a scheduled one.

import { CalendarClock, GitBranch, Pencil } from "lucide-react";
import { useWords } from "../../../app/preferences.tsx";
import { IconButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/code.tsx";
import { Time } from "../../../components/format.tsx";
import { Markdown } from "../../../components/markdown/markdown.tsx";
import { PlainText } from "../../../components/text.tsx";
import type { UserPart } from "../../../store/conversation.ts";
import { useChat } from "../chat-actions.ts";
import { AttachmentList } from "../composer/attachments.tsx";
import { GoalRow } from "../goal-strip.tsx";
import { RecalledList } from "./recalled-list.tsx";
import { ReminderCard } from "./reminder-card.tsx";
import { VersionSwitch } from "./version-switch.tsx";

/** Shown when the row is hovered or focused; always on touch screens. */
export const onDemand =
  "opacity-0 transition-opacity group-hover:opacity-100 group-focus-within:opacity-100 [@media(hover:none)]:opacity-100";

export function UserRow({ part }: { part: UserPart }) {
  const words = useWords().chat;
  const { actions, canRewind, edit } = useChat();
  if (part.task !== undefined) return <ReminderCard part={part} task={part.task} />;
  if (part.isGoal) return <GoalRow part={part} />;
  if (part.isSystem) return <SystemRow part={part} />;
  return (
    <article aria-label={words.you} className="group flex flex-col items-end gap-1">
      {part.attachments.length > 0 && <AttachmentList attachments={part.attachments} />}
      {part.text !== "" && (
        <div className="max-w-[85%] rounded-2xl bg-raised px-4 py-2.5 break-words whitespace-pre-wrap">
          <PlainText text={part.text} />
        </div>
      )}
      <div className="-mb-3 flex min-h-8 items-center gap-0.5">
        <RecalledList recalled={part.recalled} />
        <VersionSwitch turn={part.turn} isUnanswered />
        <div className={`flex items-center ${onDemand}`}>
          <Time at={part.at} className="px-1 text-tiny text-muted" />
          <CopyButton text={part.text} />
          {canRewind && (
            <IconButton label={words.edit} icon={Pencil} onClick={() => edit(part.id, part.text)} />
          )}
          <IconButton label={words.branch} icon={GitBranch} onClick={() => void actions.branch(part.id)} />
        </div>
      </div>
    </article>
  );
}

function SystemRow({ part }: { part: UserPart }) {
  const words = useWords().chat;
  return (
    <details className="rounded-card border border-line bg-side text-small">
      <summary className="flex items-center gap-2 px-4 py-2 text-muted">
        <CalendarClock aria-hidden className="size-4 shrink-0" />
        <span className="shrink-0">{words.system}</span>
        <span className="min-w-0 flex-1 truncate">{part.text}</span>
        <Time at={part.at} className="shrink-0 text-tiny" />
      </summary>
      <div className="border-t border-line px-4 py-3">
        <Markdown isSaid text={part.text} />
      </div>
    </details>
  );
}
