// A conversation in the list, with its state and its menu.
import type { SessionCard } from "../../../../../src/api/chat/wire.ts";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { Link, toPath } from "../../../app/router.tsx";
import { useStore } from "../../../wire/hooks.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { isUnread, nameSession } from "./sessions.ts";

interface SessionRowProps {
  session: SessionCard;
  /** The key of the conversation that is open. */
  current: string | undefined;
  onChosen(): void;
  /** It may no longer belong to this list. */
  onChanged?(): void;
}

export function SessionRow({ session, current, onChosen, onChanged }: SessionRowProps) {
  const words = useWords().chat;
  const { language } = usePreferences();
  const isCurrent = session.key === current;
  const title = nameSession(session, { words, language });
  const isNew = useStore(({ viewer }) => !isCurrent && isUnread(session, viewer));
  return (
    <li
      className={`group relative flex items-center rounded-control ${isCurrent ? "bg-accent-soft" : "hover:bg-raised"}`}
    >
      <Link
        to={toPath("chat", session.key)}
        onClick={onChosen}
        aria-current={isCurrent ? "page" : undefined}
        className={`flex h-9 min-w-0 flex-1 items-center gap-2 rounded-control px-2 text-small ${isCurrent ? "font-medium text-accent" : ""}`}
      >
        <StateDot session={session} isNew={isNew} />
        <span className={`truncate ${isNew ? "font-semibold" : ""}`}>{title}</span>
      </Link>
      <SessionMenu
        session={session}
        isCurrent={isCurrent}
        onChanged={onChanged}
        className="mr-1 size-7 opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:opacity-100"
      />
    </li>
  );
}

function StateDot({ session, isNew }: { session: SessionCard; isNew: boolean }) {
  const words = useWords().chat;
  const { isRunning, isAsking } = session;
  if (isNew && !isAsking)
    return (
      <span
        role="img"
        aria-label={words.unread}
        title={words.unread}
        className="size-2 shrink-0 rounded-full bg-accent"
      />
    );
  if (!isRunning && !isAsking) return null;
  const label = isAsking ? words.asking : words.running;
  return (
    <span
      role="img"
      aria-label={label}
      title={label}
      className={`size-2 shrink-0 animate-pulse-soft rounded-full ${isAsking ? "bg-warn" : "bg-accent"}`}
    />
  );
}
