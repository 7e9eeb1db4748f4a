// A file as it looks: Markdown, code, tables, pictures, PDF, sound, and HTML and SVG in a frame that can do nothing.
import { FileQuestion } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "../../app/preferences.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import { Button } from "../button.tsx";
import { CodeBlock } from "../code.tsx";
import { Tabs } from "../field.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { EmptyState, Loaded } from "../states.tsx";
import { ScrollBox } from "../text.tsx";
import { parseCsv } from "./csv.ts";
import { kindOf, toEnding, toFileUrl } from "./file-kind.ts";
import { ImageView } from "./image-view.tsx";

export function FilePreview({ path }: { path: string }) {
  switch (kindOf(path)) {
    case "image":
      return <ImageView name={path} url={toFileUrl(path)} />;
    case "audio":
      // biome-ignore lint/a11y/useMediaCaption: a file of the person's, which has none.
      return <audio controls src={toFileUrl(path)} className="m-4 w-[calc(100%-2rem)]" />;
    case "pdf":
      return <PdfView path={path} />;
    case "page":
      return <PageView path={path} />;
    default:
      return <TextView path={path}>{(text) => <ReadText path={path} text={text} />}</TextView>;
  }
}

interface TextViewProps {
  path: string;
  children(text: string): ReactNode;
}

function TextView({ path, children }: TextViewProps) {
  const words = useWords().files;
  const query = useQuery("files.read", { path }, { topic: "files", isKept: true });
  return (
    <div className="h-full overflow-auto p-4">
      <Loaded query={query}>
        {({ text, isCut }) =>
          text === undefined ? (
            <EmptyState icon={FileQuestion} title={words.noPreview} />
          ) : (
            <>
              {isCut && <p className="mb-3 text-small text-muted">{words.cut}</p>}
              {children(text)}
            </>
          )
        }
      </Loaded>
    </div>
  );
}

function ReadText({ path, text }: { path: string; text: string }) {
  const kind = kindOf(path);
  if (kind === "markdown") return <Markdown text={text} />;
  if (kind === "table") return <TableView text={text} />;
  return <CodeBlock code={text} language={toEnding(path) || "txt"} />;
}

const mostRows = 500;

function TableView({ text }: { text: string }) {
  const words = useWords();
  const { rows, isMore } = parseCsv(text, mostRows);
  const [head = [], ...body] = rows;
  const all = isMore ? text.split("\n").length : rows.length;
  return (
    <>
      <ScrollBox label={words.shell.table} className="rounded-card border border-line">
        <table className="w-full border-collapse text-small">
          <thead className="bg-side text-left">
            <tr>{head.map(toCell("th"))}</tr>
          </thead>
          <tbody>
            {body.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its number.
              <tr key={index} className="border-t border-line">
                {row.map(toCell("td"))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      {isMore && <p className="mt-2 text-small text-muted">{words.files.rows(mostRows, all)}</p>}
    </>
  );
}

function toCell(Cell: "th" | "td"): (text: string, index: number) => ReactNode {
  return (text, index) => (
    <Cell key={index} className="px-3 py-1.5 align-top font-[inherit] whitespace-pre-wrap">
      {text}
    </Cell>
  );
}

/** By the browser's own viewer, which a sandbox would not let in: the bytes are given to it, and no address. */
function PdfView({ path }: { path: string }) {
  const words = useWords().files;
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let made: string | undefined;
    let isCurrent = true;
    void fetch(toFileUrl(path)).then(async (response) => {
      if (!isCurrent || !response.ok) return;
      made = URL.createObjectURL(new Blob([await response.arrayBuffer()], { type: "application/pdf" }));
      setUrl(made);
    });
    return () => {
      isCurrent = false;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [path]);
  return url === undefined ? null : (
    <iframe title={words.frame(path)} src={url} className="h-full w-full border-0 bg-surface" />
  );
}

function PageView({ path }: { path: string }) {
  const words = useWords().files;
  const [tab, setTab] = useState<"view" | "source">("view");
  const [canRun, setCanRun] = useState(false);
  return (
    <div className="flex h-full flex-col">
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-4 py-2">
        <Tabs
          label={words.view}
          tabs={{ view: words.view, source: words.source }}
          value={tab}
          onChange={setTab}
        />
        {tab === "view" && !canRun && (
          <>
            <span className="min-w-0 flex-1 text-tiny text-muted">{words.scriptsHint}</span>
            <Button size="small" onClick={() => setCanRun(true)}>
              {words.runScripts}
            </Button>
          </>
        )}
      </div>
      {tab === "view" ? (
        <iframe
          key={String(canRun)}
          title={words.frame(path)}
          src={toFileUrl(path, canRun ? "script" : "page")}
          sandbox={canRun ? "allow-scripts" : ""}
          referrerPolicy="no-referrer"
          className="min-h-0 w-full flex-1 border-0 bg-white"
        />
      ) : (
        <TextView path={path}>{(text) => <CodeBlock code={text} language={toEnding(path)} />}</TextView>
      )}
    </div>
  );
}
