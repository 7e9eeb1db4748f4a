// The files of the workspace: folders by the page, found by name, put in order, and shown at the side.
import { FolderOpen, Search, Upload } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { usePreferences, useWords } from "../../app/preferences.tsx";
import { Link, navigate, toPath, usePlace } from "../../app/router.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { SidePreview } from "../../components/preview/side-preview.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { newId } from "../../wire/connection.ts";
import { useQuery, useWire } from "../../wire/hooks.tsx";
import { uploadFile, useFileDrop } from "../chat/composer/attachments.tsx";
import { FileRow } from "./file-row.tsx";

export function FilesPage() {
  const words = useWords().files;
  const { rest, query } = usePlace();
  const folder = rest.join("/");
  const file = query.get("file");
  const [search, setSearch] = useState("");
  const add = useAdd(folder);
  const isDropping = useFileDrop(add);
  const picker = useRef<HTMLInputElement>(null);
  const actions = (
    <Button icon={Upload} onClick={() => picker.current?.click()}>
      {words.upload}
    </Button>
  );
  return (
    <div className="flex h-full">
      <div className="relative min-w-0 flex-1">
        <Page name="files" about={words.about} actions={actions}>
          <input
            ref={picker}
            type="file"
            multiple
            hidden
            onChange={(event) => {
              add([...(event.target.files ?? [])]);
              event.target.value = "";
            }}
          />
          <SearchField value={search} onChange={setSearch} />
          {search.trim() === "" ? <Folder folder={folder} /> : <Found query={search.trim()} />}
        </Page>
        {isDropping && (
          <div className="pointer-events-none absolute inset-4 grid place-items-center rounded-card border-2 border-dashed border-accent bg-accent-soft font-medium text-accent">
            {words.dropHere}
          </div>
        )}
      </div>
      {file !== null && <SidePreview path={file} onClose={() => navigate(toPath("files", ...rest))} />}
    </div>
  );
}

function SearchField({ value, onChange }: { value: string; onChange(value: string): void }) {
  const words = useWords().files;
  return (
    <div className="relative">
      <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-muted" />
      <input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="h-9 w-full rounded-control bg-raised pr-2 pl-8 text-small"
      />
    </div>
  );
}

const pageSize = 200;

function Folder({ folder }: { folder: string }) {
  const words = useWords().files;
  const [limit, setLimit] = useState(pageSize);
  const query = useQuery("files.list", { path: folder, limit }, { topic: "files", isKept: true });
  return (
    <>
      <Crumbs folder={folder} />
      <Loaded query={query} lines={6}>
        {({ files, total }) =>
          total === 0 ? (
            <EmptyState icon={FolderOpen} title={words.empty}>
              {words.emptyHint}
            </EmptyState>
          ) : (
            <>
              <Card>
                <ul aria-label={words.list} className="divide-y divide-line">
                  {files.map((file) => (
                    <FileRow key={file.path} file={file} folder={folder} />
                  ))}
                </ul>
              </Card>
              {files.length < total && (
                <Button className="self-center" onClick={() => setLimit(Math.min(1_000, limit + pageSize))}>
                  {words.more}
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Found({ query }: { query: string }) {
  const { files: words, shell } = useWords();
  return (
    <Loaded query={useQuery("files.find", { query }, { topic: "files", isKept: true })} lines={6}>
      {({ files, isPartial }) => (
        <>
          {isPartial && <p className="text-small text-muted">{words.partial}</p>}
          {files.length === 0 ? (
            <p className="text-small text-muted">{shell.nothingFound}</p>
          ) : (
            <Card>
              <ul aria-label={words.list} className="divide-y divide-line">
                {files.map((file) => (
                  <FileRow key={file.path} file={file} folder="" isFound />
                ))}
              </ul>
            </Card>
          )}
        </>
      )}
    </Loaded>
  );
}

function Crumbs({ folder }: { folder: string }) {
  const words = useWords().files;
  const names = folder.split("/").filter(Boolean);
  if (names.length === 0) return null;
  return (
    <nav aria-label={words.all} className="-mb-2 flex flex-wrap items-center gap-1 text-small">
      <Link to={toPath("files")} className="text-accent hover:underline">
        {words.all}
      </Link>
      {names.map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a folder is known by its depth.
        <span key={index} className="flex items-center gap-1">
          <span aria-hidden className="text-muted">
            /
          </span>
          <Link to={toPath("files", ...names.slice(0, index + 1))} className="text-accent hover:underline">
            {name}
          </Link>
        </span>
      ))}
    </nav>
  );
}

/** Uploads files into a folder. */
function useAdd(folder: string): (files: Iterable<File>) => void {
  const { connection } = useWire();
  const { files: words, chat } = useWords();
  const { language } = usePreferences();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the words follow the language.
  return useCallback(
    (files) => {
      const add = async () => {
        let count = 0;
        for (const file of files) {
          const given = { fileId: newId(), name: file.name || "file" };
          const problem = await uploadFile(connection, given, file);
          const outcome =
            problem === undefined ? await connection.ask("files.add", { ...given, folder }) : undefined;
          if (outcome?.ok) count += 1;
          else {
            const reason = problem ?? (outcome?.ok === false ? outcome.problem.message : "");
            showToast({ text: chat.uploadFailed(given.name, reason), tone: "bad" });
          }
        }
        if (count > 0) showToast({ text: words.added(count), tone: "good" });
      };
      void add();
    },
    [connection, folder, language],
  );
}
