// Memory: its files, the history of changes, and the search. The address says which view is open.
import { Moon } from "lucide-react";
import type { MemoryFile } from "../../../../src/api/memory/memory.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Link, navigate, toPath, usePlace } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { Tabs } from "../../components/field.tsx";
import { Time } from "../../components/format.tsx";
import { Loaded } from "../../components/states.tsx";
import { useMutation, useQuery, useSay } from "../../wire/hooks.tsx";
import * as memoryTexts from "../../words/memory.ts";
import { FileEditor, nameFile, useDraft } from "./file-editor.tsx";
import { SearchView } from "./search-view.tsx";
import { toFilePath } from "./sources.tsx";
import { Timeline } from "./timeline.tsx";

type View = "files" | "timeline" | "search";

export function MemoryPage() {
  const words = useTopic(memoryTexts);
  const { rest, query } = usePlace();
  const [name = ""] = rest;
  const view = Object.hasOwn(words.views, name) ? (name as View) : "files";
  return (
    <Page name="memory" about={words.about} actions={<DreamButton />}>
      <div>
        <Tabs
          label={words.view}
          tabs={words.views}
          value={view}
          onChange={(next) => navigate(toPath("memory", next))}
        />
      </div>
      {view === "files" && <FilesView path={rest.slice(1).join("/")} />}
      {view === "timeline" && <Timeline opened={rest[1]} />}
      {view === "search" && <SearchView initial={query.get("q") ?? ""} />}
    </Page>
  );
}

function DreamButton() {
  const words = useTopic(memoryTexts);
  const say = useSay();
  const dream = useMutation("memory.dream", {
    done(outcome) {
      const { kind, reasons } = outcome;
      const version = kind === "changed" ? outcome.version : undefined;
      const look = () => navigate(toPath("memory", "timeline", version ?? ""));
      return {
        text: [words.dreamed[kind], ...reasons.map(say)].join(" "),
        tone: reasons.length > 0 ? "bad" : "good",
        ...(version && { action: { label: words.look, run: look } }),
      };
    },
  });
  return (
    <Button icon={Moon} isBusy={dream.isRunning} title={words.dreamHint} onClick={() => void dream.run({})}>
      {words.dream}
    </Button>
  );
}

/** What is about the person comes first. */
const first = ["USER.md", "memory/MEMORY.md"];

function rank({ path }: MemoryFile): number {
  return (first.indexOf(path) + first.length + 1) % (first.length + 1);
}

const kinds: Array<MemoryFile["kind"]> = ["memory", "character", "note"];

function FilesView({ path }: { path: string }) {
  const query = useQuery("memory.files", {}, { topic: "memory" });
  return (
    <Loaded query={query} lines={8}>
      {({ files }) => {
        const sorted = files.toSorted((a, b) => rank(a) - rank(b));
        const current = path || (sorted[0]?.path ?? "");
        return (
          <div className="flex flex-col gap-5 md:flex-row">
            <FileList files={sorted} current={current} />
            <div className="min-w-0 flex-1">
              <FileEditor key={current} path={current} />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

/** At the side of the file; above it on a phone. */
function FileList({ files, current }: { files: MemoryFile[]; current: string }) {
  const words = useTopic(memoryTexts);
  return (
    <nav
      aria-label={words.files}
      className="-m-1 flex shrink-0 gap-5 overflow-x-auto p-1 md:w-58 md:flex-col"
    >
      {kinds.map((kind) => {
        const own = files.filter((file) => file.kind === kind);
        if (own.length === 0) return null;
        return (
          <section key={kind}>
            <h2 className="mb-1 px-2.5 text-tiny font-medium text-muted">{words.kinds[kind]}</h2>
            <ul className={`flex md:flex-col ${kind === "note" ? "md:max-h-80 md:overflow-y-auto" : ""}`}>
              {own.map((file) => (
                <FileItem key={file.path} file={file} isCurrent={file.path === current} />
              ))}
            </ul>
          </section>
        );
      })}
    </nav>
  );
}

function FileItem({ file, isCurrent }: { file: MemoryFile; isCurrent: boolean }) {
  const words = useTopic(memoryTexts);
  const { path, changedAt, kind } = file;
  const isUnsaved = useDraft(path) !== undefined;
  return (
    <li>
      <Link
        to={toFilePath(path)}
        aria-current={isCurrent ? "page" : undefined}
        className={`block rounded-control px-2.5 py-1.5 ${isCurrent ? "bg-accent-soft text-accent" : "hover:bg-raised"}`}
      >
        <span className="flex items-center justify-between gap-2 text-small font-medium whitespace-nowrap">
          {nameFile(path, words)}
          {isUnsaved && (
            <span role="img" aria-label={words.unsaved} className="size-2 rounded-full bg-warn" />
          )}
        </span>
        {kind !== "note" && (
          <span className="hidden text-tiny text-muted md:block">
            {changedAt === undefined ? words.missing : <Time at={changedAt} />}
          </span>
        )}
      </Link>
    </li>
  );
}
