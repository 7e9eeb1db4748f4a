// The conversations at the side: the search over all of them, the list by age, and the archive.
import { Archive, ChevronLeft, ChevronRight, Folder, MessagesSquare, Plus, Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { SessionCard } from "../../../../../src/api/chat/wire.ts";
import { useWords } from "../../../app/preferences.tsx";
import { Link, toPath } from "../../../app/router.tsx";
import { shortcuts, useShortcut } from "../../../app/shortcuts.tsx";
import { Time } from "../../../components/format.tsx";
import { EmptyState, Loaded } from "../../../components/states.tsx";
import { Highlight } from "../../../components/text.tsx";
import { useQuery } from "../../../wire/hooks.tsx";
import { SessionRow } from "./session-row.tsx";
import { groupFolders, groupSessions, toMessagePath, useSessionNames, useSessions } from "./sessions.ts";

interface PanelProps {
  current: string | undefined;
  /** Something was chosen: a drawer may close. */
  onChosen(): void;
}

export function SessionsPanel(props: PanelProps) {
  const words = useWords().chat;
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const [isArchive, setIsArchive] = useState(false);
  const settled = useSettled(query.trim(), 250);
  const ArchiveIcon = isArchive ? ChevronLeft : Archive;
  useShortcut(shortcuts.searchChats, () => field.current?.focus());
  return (
    <div className="flex h-full flex-col gap-2 bg-side p-3">
      <Link
        to={toPath("chat")}
        onClick={props.onChosen}
        className="flex h-9 shrink-0 items-center justify-center gap-1.5 rounded-control border border-line bg-surface text-small font-medium hover:bg-raised"
      >
        <Plus aria-hidden className="size-4" />
        {words.newChat}
      </Link>
      <div className="relative shrink-0">
        <Search aria-hidden className="absolute top-2.5 left-2.5 size-4 text-muted" />
        <input
          ref={field}
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-9 w-full rounded-control bg-raised pr-2 pl-8 text-small"
        />
      </div>
      <nav aria-label={words.conversations} className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
        {settled !== "" ? (
          <SearchResults query={settled} onChosen={props.onChosen} />
        ) : isArchive ? (
          <ArchiveList {...props} />
        ) : (
          <SessionList {...props} />
        )}
      </nav>
      {settled === "" && (
        <button
          type="button"
          onClick={() => setIsArchive(!isArchive)}
          className="flex h-8 shrink-0 items-center gap-2 rounded-control px-2 text-small text-muted hover:bg-raised hover:text-ink"
        >
          <ArchiveIcon aria-hidden className="size-4" />
          {isArchive ? words.backToAll : words.archived}
        </button>
      )}
    </div>
  );
}

function SessionList(props: PanelProps) {
  const words = useWords().chat;
  return (
    <Loaded query={useSessions()} lines={6}>
      {(sessions) =>
        sessions.length === 0 ? (
          <EmptyState icon={MessagesSquare} title={words.noConversations} />
        ) : (
          <>
            {groupFolders(sessions).map(([folder, members]) => (
              <FolderGroup key={folder} folder={folder} members={members} {...props} />
            ))}
            {groupSessions(sessions, Date.now()).map(([group, members]) => (
              <section key={group} className="mb-3">
                <h2 className="px-2 py-1 text-tiny font-medium text-muted">{words.groups[group]}</h2>
                <ul>
                  {members.map((session) => (
                    <SessionRow key={session.key} session={session} {...props} />
                  ))}
                </ul>
              </section>
            ))}
          </>
        )
      }
    </Loaded>
  );
}

interface FolderGroupProps extends PanelProps {
  folder: string;
  members: readonly SessionCard[];
}

/** Closed until it is opened, unless the conversation that is open is in it. */
function FolderGroup({ folder, members, ...props }: FolderGroupProps) {
  const isHere = members.some(({ key }) => key === props.current);
  return (
    <details open={isHere} className="group/folder mb-1">
      <summary className="flex h-9 list-none items-center gap-2 rounded-control px-2 text-small hover:bg-raised">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-open/folder:rotate-90"
        />
        <Folder aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 truncate">{folder}</span>
        <span className="text-tiny text-muted tabular-nums">{members.length}</span>
      </summary>
      <ul className="pl-4">
        {members.map((session) => (
          <SessionRow key={session.key} session={session} {...props} />
        ))}
      </ul>
    </details>
  );
}

function ArchiveList(props: PanelProps) {
  const words = useWords().chat;
  const query = useQuery("chat.list", { archived: true });
  return (
    <Loaded query={query}>
      {({ sessions }) =>
        sessions.length === 0 ? (
          <EmptyState icon={Archive} title={words.noArchived} />
        ) : (
          <ul>
            {sessions.map((session) => (
              <SessionRow key={session.key} session={session} {...props} onChanged={query.refetch} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** By conversation, in the order of the best hit of each. */
function SearchResults({ query, onChosen }: { query: string; onChosen(): void }) {
  const { nothingFound } = useWords().shell;
  const nameOf = useSessionNames();
  return (
    <Loaded query={useQuery("chat.search", { query, limit: 50 })} lines={5}>
      {({ found }) => {
        const groups = Map.groupBy(found.filter(isHit(query)), ({ sessionKey }) => sessionKey);
        if (groups.size === 0) return <p className="px-2 py-4 text-small text-muted">{nothingFound}</p>;
        return [...groups].map(([sessionKey, messages]) => (
          <section key={sessionKey} className="mb-3">
            <h2 className="truncate px-2 py-1 text-tiny font-medium text-muted">
              {messages[0]?.title || nameOf(sessionKey)}
            </h2>
            <ul>
              {messages.slice(0, mostOfOne).map((message) => (
                <li key={`${message.entryId} ${message.at}`}>
                  <Link
                    to={toMessagePath(message)}
                    onClick={onChosen}
                    className="block rounded-control px-2 py-1.5 hover:bg-raised"
                  >
                    <span className="line-clamp-2 text-small">
                      <Highlight text={message.text} query={query} />
                    </span>
                    <Time at={message.at} className="text-tiny text-muted" />
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ));
      }}
    </Loaded>
  );
}

const mostOfOne = 5;

/** A message in which one of the words can be seen: the search also finds what is only about the same. */
function isHit(query: string): (message: { text: string }) => boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ text }) => words.some((word) => text.toLowerCase().includes(word));
}

/** The value once it has not changed for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), value === "" ? 0 : ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
