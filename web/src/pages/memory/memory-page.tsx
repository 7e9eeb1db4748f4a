// Memory: its files, the time line of their changes, and the search over everything. The address says which of them.
import { Moon } from "lucide-react";
import { navigate, toPath, usePlace } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useSay } from "../../words/use-say.ts";
import { useWords } from "../../words/use-words.ts";
import { FilesView } from "./files-view.tsx";
import { SearchView } from "./search-view.tsx";
import { Timeline } from "./timeline.tsx";

type View = "files" | "timeline" | "search";

export function MemoryPage() {
  const words = useWords().memory;
  const { pages } = useWords().shell;
  const { rest, query } = usePlace();
  const [name = ""] = rest;
  const view = Object.hasOwn(words.views, name) ? (name as View) : "files";
  return (
    <Page title={pages.memory} about={words.about} actions={<DreamButton />}>
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
  const words = useWords().memory;
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
