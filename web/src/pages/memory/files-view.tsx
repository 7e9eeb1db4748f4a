// The list of memory's files beside the one that is open; on a phone the list is a choice above it.
import type { MemoryFile } from "../../../../src/api/memory/memory.ts";
import { Link } from "../../app/router.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Time } from "../../components/time.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./drafts.ts";
import { FileEditor } from "./file-editor.tsx";
import { toFilePath } from "./place-list.tsx";

const kinds: Array<MemoryFile["kind"]> = ["memory", "character", "note"];

export function FilesView({ path }: { path: string }) {
  const query = useQuery("memory.files", {}, { topic: "memory" });
  return (
    <Loaded query={query} lines={8}>
      {({ files }) => {
        const current = path || (files[0]?.path ?? "");
        return (
          <div className="flex flex-col gap-5 md:flex-row">
            <FileList files={files} current={current} />
            <div className="min-w-0 flex-1">
              <FileEditor key={current} path={current} />
            </div>
          </div>
        );
      }}
    </Loaded>
  );
}

/** Beside the file, on a phone above it. */
function FileList({ files, current }: { files: MemoryFile[]; current: string }) {
  const words = useWords().memory;
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
  const words = useWords().memory;
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
          {path.replace(/^memory\//, "").replace(/\.md$/, "")}
          {isUnsaved && (
            <span role="img" aria-label={words.unsaved} className="size-2 rounded-full bg-warn" />
          )}
        </span>
        {kind !== "note" && (
          <span className="hidden text-tiny text-muted md:block">
            {words.abouts[path]}
            <br />
            {changedAt === undefined ? words.missing : <Time at={changedAt} />}
          </span>
        )}
      </Link>
    </li>
  );
}
