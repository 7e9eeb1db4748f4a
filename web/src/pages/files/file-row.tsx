// A file or folder in the list, with the menu of what can be done with it.
import {
  Download,
  Ellipsis,
  File,
  FileText,
  Folder,
  Image,
  MessageCircleQuestion,
  Music,
  Pencil,
  Table,
  Trash2,
} from "lucide-react";
import { useState } from "react";
import type { ListedFile } from "../../../../src/api/files/workspace-files.ts";
import { useWords } from "../../app/preferences.tsx";
import { Link, navigate, toPath } from "../../app/router.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { InputField } from "../../components/field.tsx";
import { Time } from "../../components/format.tsx";
import { Menu, type MenuItem } from "../../components/menu.tsx";
import { type FileKind, kindOf, toFileUrl } from "../../components/preview/file-kind.ts";
import { askAbout } from "../../components/preview/preview-panel.tsx";
import { useMutation } from "../../wire/hooks.tsx";

const icons: Partial<Record<FileKind, typeof File>> = {
  markdown: FileText,
  text: FileText,
  pdf: FileText,
  page: FileText,
  table: Table,
  image: Image,
  audio: Music,
};

interface FileRowProps {
  file: ListedFile;
  /** That is shown. */
  folder: string;
  /** By the search: its whole path is shown. */
  isFound?: boolean;
}

export function FileRow({ file, folder, isFound = false }: FileRowProps) {
  const words = useWords().files;
  const [isRenaming, setIsRenaming] = useState(false);
  const { path, name, isFolder, size, at } = file;
  const parts = path.split("/");
  const here = folder === "" ? [] : folder.split("/");
  const to = isFolder
    ? toPath("files", ...parts)
    : `${toPath("files", ...here)}?${new URLSearchParams({ file: path })}`;
  const Icon = isFolder ? Folder : (icons[kindOf(path)] ?? File);
  const items = useItems(file, () => setIsRenaming(true));
  return (
    <li className="group flex items-center hover:bg-raised">
      <Link to={to} className="flex h-11 min-w-0 flex-1 items-center gap-3 px-4 text-small">
        <Icon aria-hidden className={`size-4 shrink-0 ${isFolder ? "text-accent" : "text-muted"}`} />
        <span className="min-w-0 flex-1 truncate">{isFound ? path : name}</span>
        {!isFolder && (
          <span className="hidden shrink-0 text-tiny text-muted tabular-nums sm:block">
            {formatBytes(size)}
          </span>
        )}
        <Time at={at} className="hidden w-28 shrink-0 text-right text-tiny text-muted sm:block" />
      </Link>
      <Menu
        label={words.options(name)}
        items={items}
        className="mr-2 grid size-8 shrink-0 place-items-center rounded-control text-muted hover:text-ink"
      >
        <Ellipsis aria-hidden className="size-4" />
      </Menu>
      {isRenaming && <RenameDialog file={file} onClose={() => setIsRenaming(false)} />}
    </li>
  );
}

function useItems({ path, name, isFolder }: ListedFile, rename: () => void): MenuItem[] {
  const { files: words, shell } = useWords();
  const removing = useMutation("files.remove");
  const restoring = useMutation("files.restore");
  const remove = async () => {
    const outcome = await removing.run({ path });
    if (!outcome.ok) return;
    const { undo } = outcome.result;
    const action = { label: shell.undo, run: () => void restoring.run({ path, undo }) };
    showToast({ text: words.removed(name), action });
  };
  return [
    { label: words.ask, icon: MessageCircleQuestion, run: () => askAbout(path) },
    ...(isFolder ? [] : [{ label: words.download, icon: Download, run: () => save(path, name) }]),
    { label: words.rename, icon: Pencil, run: rename },
    { label: words.remove, icon: Trash2, tone: "danger", run: () => void remove() },
  ];
}

function save(path: string, name: string): void {
  const link = document.createElement("a");
  link.href = toFileUrl(path);
  link.download = name;
  link.click();
}

function RenameDialog({ file: { path, name }, onClose }: { file: ListedFile; onClose(): void }) {
  const { files: words, shell } = useWords();
  const [text, setText] = useState(name);
  const { run, problem, isRunning } = useMutation("files.rename", { isQuiet: true });
  const save = async () => {
    const to = [...path.split("/").slice(0, -1), text.trim()].join("/");
    const outcome = await run({ path, to });
    if (!outcome.ok) return;
    onClose();
    // A preview of it would look for the old name.
    if (location.hash.includes("?file=")) navigate(location.hash.split("?")[0] ?? "");
  };
  const actions = (
    <Button type="submit" tone="primary" isBusy={isRunning}>
      {shell.save}
    </Button>
  );
  return (
    <Dialog
      title={words.rename}
      onClose={onClose}
      onSubmit={() => void save()}
      actions={actions}
      problem={problem?.message}
      width="narrow"
    >
      <InputField label={words.name} maxLength={200} value={text} onChange={setText} />
    </Dialog>
  );
}

function formatBytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  const power = Math.min(3, Math.floor(Math.log10(size) / 3));
  return `${(size / 1_000 ** power).toFixed(size / 1_000 ** power < 10 ? 1 : 0)} ${["B", "kB", "MB", "GB"][power]}`;
}
