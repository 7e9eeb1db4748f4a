// Settings: the model and what most people look for; behind that, all of the config in forms built from its schema.
import { ArrowLeft, LogOut, Save, Search } from "lucide-react";
import { useMemo, useState } from "react";
import { RestartNote } from "../../app/notices.tsx";
import { useWords } from "../../app/preferences.tsx";
import { Link, navigate, toPath, usePlace } from "../../app/router.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { Input, Select } from "../../components/field.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useMutation, useSay } from "../../wire/hooks.tsx";
import { Essentials } from "./essentials.tsx";
import { GroupCard } from "./group-card.tsx";
import {
  filterGroup,
  findSetting,
  type JsonSchema,
  type SettingField,
  type SettingGroup,
  toGroup,
} from "./schema.ts";
import {
  type ConfigSnapshot,
  type Settings,
  type SettingTexts,
  useSettings,
  useSettingsWords,
  useSettingTexts,
} from "./use-settings.ts";

export function SettingsPage() {
  const words = useSettingsWords();
  const settings = useSettings();
  const [query, setQuery] = useState("");
  const { waiting = [], canRestart = false, path } = settings.query.data ?? {};
  const nameAt = useNameAt(settings.query.data);
  const isFirst = usePlace().rest.length === 0 && query.trim() === "";
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
    <Page name="settings" about={words.about} actions={search}>
      {waiting.length > 0 && (
        <RestartNote text={`${words.waiting} ${waiting.map(nameAt).join(", ")}`} canRestart={canRestart} />
      )}
      <Loaded query={settings.query} lines={8}>
        {(data) => (
          <>
            <Notes data={data} />
            {isFirst ? <Essentials settings={settings} /> : <Forms {...{ settings, query, data }} />}
          </>
        )}
      </Loaded>
      <SaveBar settings={settings} />
      <footer className="flex flex-wrap items-center justify-between gap-3 border-t border-line pt-6 text-small text-muted">
        <span className="break-all">{path && words.file(path)}</span>
        <Button size="small" icon={LogOut} onClick={() => void fetch("./api/leave", { method: "POST" })}>
          {words.signOut}
        </Button>
      </footer>
    </Page>
  );
}

function Forms({ settings, query, data }: { settings: Settings; query: string; data: ConfigSnapshot }) {
  const words = useSettingsWords();
  const { shell } = useWords();
  const { rest } = usePlace();
  const texts = useSettingTexts();
  const { changes } = settings;
  const root = useMemo(
    () => toGroup(data.schema as JsonSchema, withAdded(data.file, changes)),
    [data, changes],
  );
  const sections = root.groups;
  const current = sections.find(({ path }) => path[0] === rest[0]) ?? sections[0];
  if (query.trim() !== "") {
    const found = filterGroup(root, createMatch(query, texts))?.groups ?? [];
    if (found.length === 0) return <EmptyState icon={Search} title={shell.nothingFound} />;
    return found.map((group) => <GroupCard key={group.path.join(".")} {...{ group, settings }} />);
  }
  return (
    <div className="grid gap-6 md:grid-cols-[11rem_minmax(0,1fr)]">
      <Link
        to={toPath("settings")}
        className="inline-flex items-center gap-1.5 text-small text-accent underline-offset-2 hover:underline md:col-span-2"
      >
        <ArrowLeft aria-hidden className="size-4" />
        {words.essentials.back}
      </Link>
      <SectionMenu sections={sections} current={current} />
      {current && <GroupCard key={current.path.join(".")} group={current} settings={settings} />}
    </div>
  );
}

function SectionMenu({ sections, current }: { sections: SettingGroup[]; current: SettingGroup | undefined }) {
  const words = useSettingsWords();
  const nameOf = ({ path: [name = ""] }: SettingGroup) => words.sections[name] ?? name;
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

/** Matches fields whose key, name or description has every word. */
function createMatch(query: string, { nameOf, describe }: SettingTexts): (field: SettingField) => boolean {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (field) => {
    const text = `${field.path.join(".")} ${field.about} ${nameOf(field)} ${describe(field)}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}

/** The file with blocks that were added and not saved yet. */
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

function Notes({ data }: { data: ConfigSnapshot }) {
  const words = useSettingsWords();
  const say = useSay();
  const nameAt = useNameAt(data);
  const notes = [...data.problems, ...data.warnings];
  if (notes.length === 0) return null;
  return (
    <section
      aria-label={words.notes}
      className="rounded-card border border-line bg-warn-soft px-5 py-3 text-small text-warn"
    >
      <h2 className="font-medium">{words.notes}</h2>
      <ul className="mt-1 list-disc pl-5">
        {notes.map(({ path, phrase }) => (
          <li key={`${path} ${JSON.stringify(phrase)}`} className="break-words">
            {path !== "" && <span className="font-medium">{nameAt(path)}: </span>}
            {say(phrase)}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The name of the setting at a path such as `agents.defaults.maxTokens`. */
function useNameAt(data: ConfigSnapshot | undefined): (path: string) => string {
  const { nameOf } = useSettingTexts();
  const root = useMemo(() => data && toGroup(data.schema as JsonSchema, data.file), [data]);
  return (path) => {
    const setting = root && findSetting(root, path);
    return setting === undefined ? path : nameOf(setting);
  };
}

function SaveBar({ settings }: { settings: Settings }) {
  const words = useSettingsWords();
  const { shell } = useWords();
  const { changes, problem } = settings;
  const restart = useMutation("gateway.restart");
  const nameAt = useNameAt(settings.query.data);
  const isUnsure = problem?.code === "config.unsure";
  if (changes.length === 0) return null;
  const save = async () => {
    const saved = await settings.save();
    if (saved === undefined) return;
    const action = { label: shell.restart, run: () => void restart.run({}) };
    const isWaiting = saved.waiting.length > 0 && saved.canRestart;
    showToast({ text: words.saved, tone: "good", ...(isWaiting && { action, text: words.savedForLater }) });
  };
  return (
    <section
      aria-label={words.unsaved(changes.length)}
      className="sticky bottom-4 z-10 flex animate-appear flex-wrap items-center gap-3 rounded-card border border-strong-line bg-surface px-5 py-3"
    >
      <div className="min-w-0 flex-1">
        <p className="font-medium">{words.unsaved(changes.length)}</p>
        {problem && (
          <p role="alert" className="text-small text-bad">
            {[
              problem.message,
              ...(isUnsure
                ? []
                : (problem.fields ?? []).map(({ path, message }) => `${nameAt(path)}: ${message}`)),
            ].join(" ")}
          </p>
        )}
      </div>
      <Button onClick={settings.discard}>{shell.discard}</Button>
      <Button tone={isUnsure ? "danger" : "primary"} icon={Save} isBusy={settings.isSaving} onClick={save}>
        {isUnsure ? words.saveSure : shell.save}
      </Button>
    </section>
  );
}
