// A preview with its name and what can be done with the file, next to a page or above it on small screens.
import { Download, MessageCircleQuestion, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useWords } from "../../app/preferences.tsx";
import { navigate, toPath } from "../../app/router.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import { IconButton } from "../button.tsx";
import { Diff } from "../code.tsx";
import { Tabs } from "../field.tsx";
import { Loaded, SkeletonLines } from "../states.tsx";
import { toFileUrl } from "./file-kind.ts";

const FilePreview = lazy(async () => ({ default: (await import("./file-preview.tsx")).FilePreview }));

/** A turn that changed the file: the preview can show how. */
export interface TurnOfFile {
  sessionKey: string;
  turnId: string;
}

interface PreviewPanelProps {
  path: string;
  turn?: TurnOfFile;
  onClose(): void;
}

export function PreviewPanel({ path, turn, onClose }: PreviewPanelProps) {
  const words = useWords().files;
  const [tab, setTab] = useState<"view" | "diff">("view");
  const name = path.split("/").at(-1) ?? path;
  return (
    <section aria-label={words.frame(name)} className="flex h-full min-w-0 flex-col bg-surface">
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line pr-2 pl-4">
        <h2 title={path} className="min-w-0 flex-1 truncate text-small font-medium">
          {name}
        </h2>
        {turn && (
          <Tabs
            label={words.view}
            tabs={{ view: words.view, diff: words.diff }}
            value={tab}
            onChange={setTab}
          />
        )}
        <IconButton label={words.ask} icon={MessageCircleQuestion} onClick={() => askAbout(path)} />
        <DownloadLink path={path} name={name} />
        <IconButton label={words.close} icon={X} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1">
        {turn && tab === "diff" ? (
          <TurnDiff path={path} turn={turn} />
        ) : (
          <Suspense fallback={<SkeletonLines />}>
            <FilePreview key={path} path={path} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

export function DownloadLink({ path, name }: { path: string; name: string }) {
  const words = useWords().files;
  return (
    <a
      href={toFileUrl(path)}
      download={name}
      title={words.download}
      aria-label={words.download}
      className="grid size-8 shrink-0 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
    >
      <Download aria-hidden className="size-4" />
    </a>
  );
}

/** Begins a message about the file in a new conversation. */
export function askAbout(path: string): void {
  askInChat(`${toMention(path)} `);
}

/** Begins a message in a new conversation. */
export function askInChat(text: string): void {
  sessionStorage.setItem("nanobot.draft.", text);
  navigate(toPath("chat"));
}

/** As it is written in a message: `@notes.md`, `@"my notes.md"`. */
export function toMention(path: string): string {
  return /\s/.test(path) ? `@"${path}"` : `@${path}`;
}

function TurnDiff({ path, turn }: { path: string; turn: TurnOfFile }) {
  const words = useWords().files;
  const query = useQuery("files.diff", { ...turn, path }, { topic: "files" });
  return (
    <div className="h-full overflow-auto p-4">
      <Loaded query={query}>
        {({ diff }) =>
          diff === undefined ? (
            <p className="text-small text-muted">{words.noDiff}</p>
          ) : (
            <Diff text={diff} label={words.diff} />
          )
        }
      </Loaded>
    </div>
  );
}
