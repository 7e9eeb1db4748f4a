// A conversation in the list, with what can be done to it.
import {
  Archive,
  ArchiveRestore,
  Braces,
  Ellipsis,
  FileDown,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import type { SessionCard } from "../../../../src/api/chat/wire.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { useStore } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { nameSession } from "./session-name.ts";
import { useSessionActions } from "./use-session-actions.ts";
import { isReadOnly } from "./use-sessions.ts";

export interface SessionRowProps {
  session: SessionCard;
  isCurrent: boolean;
  onChosen(): void;
  /** It may no longer belong into this list. */
  onChanged?(): void;
}

export function SessionRow({ session, isCurrent, onChosen, onChanged }: SessionRowProps) {
  const words = useWords().chat;
  const [isRenaming, setIsRenaming] = useState(false);
  const { language } = usePreferences();
  const title = nameSession(session, { words, language });
  const items = useItems(session, { isCurrent, rename: () => setIsRenaming(true), onChanged });
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
        <StateDot session={session} />
        <span className="truncate">{title}</span>
      </Link>
      <Menu
        label={words.options(title)}
        items={items}
        className="mr-1 grid size-7 shrink-0 place-items-center rounded-control text-muted opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:opacity-100"
      >
        <Ellipsis aria-hidden className="size-4" />
      </Menu>
      {isRenaming && <RenameDialog session={session} onClose={() => setIsRenaming(false)} />}
    </li>
  );
}

function StateDot({ session: { isRunning, isAsking } }: { session: SessionCard }) {
  const words = useWords().chat;
  if (!isRunning && !isAsking) return null;
  return (
    <span
      role="img"
      aria-label={isAsking ? words.asking : words.running}
      title={isAsking ? words.asking : words.running}
      className={`size-2 shrink-0 animate-pulse-soft rounded-full ${isAsking ? "bg-warn" : "bg-accent"}`}
    />
  );
}

interface ItemOptions {
  isCurrent: boolean;
  rename(): void;
  onChanged: (() => void) | undefined;
}

function useItems(session: SessionCard, { isCurrent, rename, onChanged }: ItemOptions): MenuItem[] {
  const words = useWords().chat;
  const actions = useSessionActions(session.key);
  const { isPinned, isArchived } = session;
  const isFixed = useStore(({ viewer }) => isReadOnly(session, viewer));
  const label = async (change: Parameters<typeof actions.label>[0]) => {
    await actions.label(change);
    onChanged?.();
  };
  const remove = async () => {
    await actions.remove(isCurrent);
    onChanged?.();
  };
  const changing: MenuItem[] = [
    { label: words.rename, icon: Pencil, run: rename },
    {
      label: isPinned ? words.unpin : words.pin,
      icon: isPinned ? PinOff : Pin,
      run: () => void label({ isPinned: !isPinned }),
    },
    {
      label: isArchived ? words.unarchive : words.archive,
      icon: isArchived ? ArchiveRestore : Archive,
      run: () => void label({ isArchived: !isArchived }),
    },
  ];
  return [
    ...(isFixed ? [] : changing),
    { label: words.exportMarkdown, icon: FileDown, run: () => void actions.exportAs("markdown") },
    { label: words.exportJson, icon: Braces, run: () => void actions.exportAs("json") },
    ...(isFixed
      ? []
      : [{ label: words.remove, icon: Trash2, tone: "danger" as const, run: () => void remove() }]),
  ];
}
