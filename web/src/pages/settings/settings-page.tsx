// Settings: the model first, then everything else of the config, in forms drawn from its schema.
import { LogOut, Search } from "lucide-react";
import { useMemo, useState } from "react";
import { navigate, toPath, usePlace } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { Input, Select } from "../../components/field.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import { useWords } from "../../words/use-words.ts";
import { Notes } from "./config-notes.tsx";
import { GroupCard } from "./group-card.tsx";
import { ModelCard } from "./model-card.tsx";
import { RestartBanner, SaveBar } from "./save-bar.tsx";
import { filterGroup, type JsonSchema, type SettingField, type SettingGroup, toGroup } from "./schema.ts";
import { type About, useAbout } from "./use-about.ts";
import { type ConfigSnapshot, type Settings, useSettings } from "./use-settings.ts";

export function SettingsPage() {
  const words = useWords().settings;
  const pages = useWords().shell.pages;
  const settings = useSettings();
  const [query, setQuery] = useState("");
  const { data, problem, refetch } = settings.query;
  const search = (
    <div className="relative w-full sm:w-72">
      <Search aria-hidden className="absolute top-2.5 left-3 size-4 text-muted" />
      <Input
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
        className="pl-9"
      />
    </div>
  );
  return (
    <Page title={pages.settings} about={words.about} actions={search}>
      {query === "" && <ModelCard />}
      <RestartBanner settings={settings} />
      {problem && <ErrorState message={problem.message} onRetry={refetch} />}
      {!data && !problem && <SkeletonLines count={8} />}
      {data && <Notes data={data} />}
      {data && <Forms {...{ settings, query, data }} />}
      <SaveBar settings={settings} />
      <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-6 text-small text-muted">
        <span className="break-all">{data && words.file(data.path)}</span>
        <Button size="small" icon={LogOut} onClick={() => void fetch("/api/leave", { method: "POST" })}>
          {words.signOut}
        </Button>
      </footer>
    </Page>
  );
}

function Forms({ settings, query, data }: { settings: Settings; query: string; data: ConfigSnapshot }) {
  const words = useWords().settings;
  const { rest } = usePlace();
  const about = useAbout();
  const { changes } = settings;
  const root = useMemo(
    () => toGroup(data.schema as JsonSchema, withAdded(data.file, changes)),
    [data, changes],
  );
  const sections = root.groups;
  const current = sections.find(({ path }) => path[0] === rest[0]) ?? sections[0];
  if (query.trim() !== "") {
    const found = filterGroup(root, createMatch(query, about))?.groups ?? [];
    if (found.length === 0) return <EmptyState icon={Search} title={words.nothingFound} />;
    return found.map((group) => <GroupCard key={group.path.join(".")} {...{ group, settings }} />);
  }
  return (
    <div className="grid gap-6 md:grid-cols-[11rem_minmax(0,1fr)]">
      <SectionMenu sections={sections} current={current} />
      {current && <GroupCard key={current.path.join(".")} group={current} settings={settings} />}
    </div>
  );
}

function SectionMenu({ sections, current }: { sections: SettingGroup[]; current: SettingGroup | undefined }) {
  const words = useWords().settings;
  const nameOf = ({ path }: SettingGroup) =>
    words.sections[path[0] as keyof typeof words.sections] ?? path[0];
  const chosen = current?.path[0] ?? "";
  return (
    <>
      <Select
        aria-label={words.section}
        className="md:hidden"
        value={chosen}
        onChange={({ target }) => navigate(toPath("settings", target.value))}
      >
        {sections.map((group) => (
          <option key={group.path[0]} value={group.path[0]}>
            {nameOf(group)}
          </option>
        ))}
      </Select>
      <nav aria-label={words.section} className="sticky top-6 hidden self-start md:block">
        {sections.map((group) => (
          <a
            key={group.path[0]}
            href={toPath("settings", group.path[0] ?? "")}
            aria-current={group.path[0] === chosen ? "page" : undefined}
            className={`block rounded-control px-3 py-1.5 text-small transition-colors ${group.path[0] === chosen ? "bg-accent-soft font-medium text-accent" : "text-muted hover:bg-raised hover:text-ink"}`}
          >
            {nameOf(group)}
          </a>
        ))}
      </nav>
    </>
  );
}

/** Every word has to be in the key or in what is said about it. */
function createMatch(query: string, about: About): (field: SettingField) => boolean {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (field) => {
    const text = `${field.path.join(".")} ${field.about} ${about(field)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}

/** Blocks that were added and not saved are drawn like the others. */
function withAdded(file: ConfigSnapshot["file"], changes: Settings["changes"]): unknown {
  const next = structuredClone(file);
  for (const { path, value } of changes) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
    let section = next;
    for (const key of path) {
      section[key] ??= {};
      section = section[key] as Record<string, unknown>;
    }
  }
  return next;
}
