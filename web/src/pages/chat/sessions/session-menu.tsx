// The menu of what can be done with a conversation, in the list and above it.
import {
  Archive,
  ArchiveRestore,
  Braces,
  Ellipsis,
  FileDown,
  Folder,
  Pencil,
  Pin,
  PinOff,
  Share2,
  Sparkles,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import type { SessionCard } from "../../../../../src/api/chat/wire.ts";
import type { ParamsOf } from "../../../../../src/server/protocol.ts";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { navigate, toPath } from "../../../app/router.tsx";
import { showToast } from "../../../app/toasts.tsx";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { saveFile } from "../../../components/export-text.ts";
import { InputField } from "../../../components/field.tsx";
import { Menu, type MenuItem } from "../../../components/menu.tsx";
import { useMutation, useStore, useWire } from "../../../wire/hooks.tsx";
import { isReadOnly, nameSession } from "./sessions.ts";

interface SessionMenuProps {
  session: SessionCard;
  /** It is the one that is open. */
  isCurrent: boolean;
  /** It may no longer belong to its list. */
  onChanged?: (() => void) | undefined;
  className?: string;
}

export function SessionMenu({ session, isCurrent, onChanged, className = "" }: SessionMenuProps) {
  const words = useWords().chat;
  const { language } = usePreferences();
  const [dialog, setDialog] = useState<"title" | "folder">();
  const actions = useSessionActions(session.key, onChanged);
  const items = useItems(session, {
    ...actions,
    rename: () => setDialog("title"),
    moveToFolder: () => setDialog("folder"),
    remove: () => actions.remove(isCurrent),
  });
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu
        label={words.options(nameSession(session, { words, language }))}
        items={items}
        className={`grid shrink-0 place-items-center rounded-control text-muted hover:text-ink ${className}`}
      >
        <Ellipsis aria-hidden className="size-4" />
      </Menu>
      {dialog === "title" && (
        <RenameDialog session={session} onSave={(title) => void actions.label({ title })} onClose={close} />
      )}
      {dialog === "folder" && (
        <FolderDialog
          folder={session.folder ?? ""}
          onSave={(folder) => void actions.label({ folder })}
          onClose={close}
        />
      )}
    </>
  );
}

const mediaTypes = { html: "text/html", markdown: "text/markdown", json: "application/json" };

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
    async exportAs(format: keyof typeof mediaTypes) {
      const outcome = await exporting.run({ sessionKey, format });
      if (outcome.ok) saveFile(outcome.result.name, outcome.result.text, mediaTypes[format]);
    },
  };
}

interface ItemActions extends Pick<ReturnType<typeof useSessionActions>, "label" | "exportAs"> {
  rename(): void;
  moveToFolder(): void;
  remove(): Promise<void>;
}

function useItems(session: SessionCard, actions: ItemActions): MenuItem[] {
  const { label, exportAs, rename, moveToFolder, remove } = actions;
  const words = useWords().chat;
  const { isPinned, isArchived } = session;
  const isFixed = useStore(({ viewer }) => isReadOnly(session, viewer));
  const exports: MenuItem[] = [
    { label: words.exportPage, icon: Share2, run: () => void exportAs("html") },
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
    { label: words.folder.move, icon: Folder, run: moveToFolder },
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
  session: SessionCard;
  onSave(title: string): void;
  onClose(): void;
}

function RenameDialog({ session, onSave, onClose }: RenameDialogProps) {
  const { chat: words, shell } = useWords();
  const { store } = useWire();
  const [text, setText] = useState(session.title);
  const { run, isRunning, problem } = useMutation("chat.title", { isQuiet: true });
  const suggest = async () => {
    const outcome = await run({ sessionKey: session.key });
    if (!outcome.ok) return;
    store.dispatch({ type: "session-labelled", session: outcome.result });
    setText(outcome.result.title);
  };
  const save = () => {
    onSave(text.trim());
    onClose();
  };
  const actions = (
    <>
      <Button icon={Sparkles} disabled={isRunning} onClick={() => void suggest()}>
        {words.suggestTitle}
      </Button>
      <Button type="submit" tone="primary">
        {shell.save}
      </Button>
    </>
  );
  return (
    <Dialog
      title={words.renameTitle}
      onClose={onClose}
      onSubmit={save}
      actions={actions}
      problem={problem?.message}
      width="narrow"
    >
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

interface FolderDialogProps {
  folder: string;
  onSave(folder: string): void;
  onClose(): void;
}

function FolderDialog({ folder, onSave, onClose }: FolderDialogProps) {
  const { chat: words, shell } = useWords();
  const [text, setText] = useState(folder);
  const sessions = useStore((state) => state.sessions);
  const known = new Set([...(sessions?.values() ?? [])].flatMap((session) => session.folder ?? []));
  const save = (name: string) => {
    onSave(name.trim());
    onClose();
  };
  const actions = (
    <Button type="submit" tone="primary">
      {shell.save}
    </Button>
  );
  return (
    <Dialog
      title={words.folder.move}
      onClose={onClose}
      onSubmit={() => save(text)}
      actions={actions}
      width="narrow"
    >
      <InputField
        label={words.folder.name}
        hint={words.folder.hint}
        maxLength={60}
        value={text}
        onChange={setText}
      />
      {known.size > 0 && (
        <ul className="mt-3 flex flex-wrap gap-2">
          {[...known].sort().map((name) => (
            <li key={name}>
              <Button size="small" icon={Folder} onClick={() => save(name)}>
                {name}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
