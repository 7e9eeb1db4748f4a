// A conversation in the list, with the menu of what can be done with it.
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
import type { ParamsOf } from "../../../../src/server/protocol.ts";
import { usePreferences, useWords } from "../../app/preferences.tsx";
import { Link, navigate, toPath } from "../../app/router.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { saveFile } from "../../components/export-text.ts";
import { InputField } from "../../components/field.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { useMutation, useStore, useWire } from "../../wire/hooks.tsx";
import { isReadOnly, isUnread, nameSession } from "./sessions.ts";

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
  const [isRenaming, setIsRenaming] = useState(false);
  const { language } = usePreferences();
  const isCurrent = session.key === current;
  const title = nameSession(session, { words, language });
  const isNew = useStore(({ viewer }) => !isCurrent && isUnread(session, viewer));
  const actions = useSessionActions(session.key, onChanged);
  const items = useItems(session, {
    ...actions,
    rename: () => setIsRenaming(true),
    remove: () => actions.remove(isCurrent),
  });
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
      <Menu
        label={words.options(title)}
        items={items}
        className="mr-1 grid size-7 shrink-0 place-items-center rounded-control text-muted opacity-0 group-hover:opacity-100 group-focus-within:opacity-100 hover:text-ink focus-visible:opacity-100 aria-expanded:opacity-100 [@media(hover:none)]:opacity-100"
      >
        <Ellipsis aria-hidden className="size-4" />
      </Menu>
      {isRenaming && (
        <RenameDialog
          title={session.title}
          onSave={(next) => void actions.label({ title: next })}
          onClose={() => setIsRenaming(false)}
        />
      )}
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

function useSessionActions(sessionKey: string, onChanged: (() => void) | undefined) {
  const { store } = useWire();
  const { chat: words, shell } = useWords();
  const labelling = useMutation("chat.label");
  const removing = useMutation("chat.remove");
  const recovering = useMutation("chat.recover");
  const exporting = useMutation("chat.export");
  const recover = async (undo: string) => {
    const outcome = await recovering.run({ undo });
    if (outcome.ok) store.dispatch({ type: "session-labelled", session: outcome.result });
  };
  return {
    async label(change: Omit<ParamsOf<"chat.label">, "sessionKey">) {
      const outcome = await labelling.run({ sessionKey, ...change });
      if (outcome.ok) store.dispatch({ type: "session-labelled", session: outcome.result });
      onChanged?.();
    },
    async remove(isCurrent: boolean) {
      if (isCurrent) navigate(toPath("chat"));
      const outcome = await removing.run({ sessionKey });
      onChanged?.();
      if (!outcome.ok) return;
      const { undo } = outcome.result;
      showToast({ text: words.removed, action: { label: shell.undo, run: () => void recover(undo) } });
    },
    async exportAs(format: "markdown" | "json") {
      const outcome = await exporting.run({ sessionKey, format });
      if (!outcome.ok) return;
      const type = format === "json" ? "application/json" : "text/markdown";
      saveFile(outcome.result.name, outcome.result.text, type);
    },
  };
}

interface ItemActions extends Pick<ReturnType<typeof useSessionActions>, "label" | "exportAs"> {
  rename(): void;
  remove(): Promise<void>;
}

function useItems(session: SessionCard, { label, exportAs, rename, remove }: ItemActions): MenuItem[] {
  const words = useWords().chat;
  const { isPinned, isArchived } = session;
  const isFixed = useStore(({ viewer }) => isReadOnly(session, viewer));
  const exports: MenuItem[] = [
    { label: words.exportMarkdown, icon: FileDown, run: () => void exportAs("markdown") },
    { label: words.exportJson, icon: Braces, run: () => void exportAs("json") },
  ];
  if (isFixed) return exports;
  return [
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
    ...exports,
    { label: words.remove, icon: Trash2, tone: "danger", run: () => void remove() },
  ];
}

interface RenameDialogProps {
  title: string;
  onSave(title: string): void;
  onClose(): void;
}

function RenameDialog({ title, onSave, onClose }: RenameDialogProps) {
  const { chat: words, shell } = useWords();
  const [text, setText] = useState(title);
  const save = () => {
    onSave(text.trim());
    onClose();
  };
  const actions = (
    <Button type="submit" tone="primary">
      {shell.save}
    </Button>
  );
  return (
    <Dialog title={words.renameTitle} onClose={onClose} onSubmit={save} actions={actions} width="narrow">
      <InputField
        label={words.title}
        hint={words.titleHint}
        maxLength={200}
        value={text}
        onChange={setText}
      />
    </Dialog>
  );
}
