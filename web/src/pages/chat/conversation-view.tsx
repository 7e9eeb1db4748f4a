// One conversation: its messages, or a greeting where there are none, and the field to write in.

import { ArrowUpRight, Trash2 } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../app/preferences.tsx";
import { shortcuts, useShortcut } from "../../app/shortcuts.tsx";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import type { Conversation } from "../../store/conversation.ts";
import { useQuery, useStore, useWire } from "../../wire/hooks.tsx";
import { ChatProvider, useChatActions } from "./chat-actions.ts";
import { Composer } from "./composer/composer.tsx";
import { DemoStrip, useIsDemo, useStarters } from "./demo-strip.tsx";
import { GoalStrip } from "./goal-strip.tsx";
import { MessageList, toRows } from "./messages/message-list.tsx";
import { SubagentStrip } from "./messages/tool-card.tsx";
import { isReadOnly } from "./sessions/sessions.ts";

export interface Editing {
  entryId: string;
  text: string;
}

/** Another one each time, also with the same text. */
export interface Quoted {
  text: string;
}

const noVersions: Conversation["versions"] = new Map();

export function ConversationView(props: { sessionKey: string | undefined; at: string | undefined }) {
  const { sessionKey, at } = props;
  const { conversation, reopen, loadOlder, isLoadingOlder } = useConversation(sessionKey, at);
  const actions = useChatActions(sessionKey);
  const isOwner = useStore((state) => state.viewer?.role !== "guest");
  const isFixed = useStore(({ sessions, viewer }) => {
    const session = sessions?.get(sessionKey ?? "");
    return session !== undefined && isReadOnly(session, viewer);
  });
  const [editing, setEditing] = useState<Editing>();
  const [quoted, setQuoted] = useState<Quoted>();
  const rows = useMemo(() => (conversation ? toRows(conversation) : []), [conversation]);
  const isRunning = conversation?.running !== undefined;
  const canRewind = !isRunning && !isFixed && conversation?.status === "open";
  const { subagents, versions = noVersions } = conversation ?? {};
  const { data: { currency = "" } = {} } = useQuery("usage.budgets", {}, { isEnabled: isOwner });
  const chat = useMemo(
    () => ({
      sessionKey: sessionKey ?? "",
      actions,
      isOwner,
      canRewind,
      currency,
      subagents: new Map(subagents?.map((subagent) => [subagent.id, subagent])),
      versions,
      edit: (entryId: string, text: string) => setEditing({ entryId, text }),
      quote: (text: string) => setQuoted({ text }),
    }),
    [sessionKey, actions, isOwner, canRewind, currency, subagents, versions],
  );
  const isDemo = useIsDemo();
  const said = rows.flatMap((row) => (row.kind === "user" ? row.part.text : []));
  const isEditing = editing !== undefined;
  const stop = () => (isEditing ? setEditing(undefined) : actions.stop());
  useShortcut(shortcuts.stop, stop, isRunning || isEditing);
  const isEmpty = sessionKey === undefined || (conversation?.status === "open" && rows.length === 0);
  return (
    <ChatProvider value={chat}>
      {isEmpty ? (
        <Greeting isDemo={isDemo} onExample={(text) => actions.send({ text })} />
      ) : rows.length > 0 ? (
        <MessageList rows={rows} at={at} onTop={loadOlder} isLoadingOlder={isLoadingOlder} />
      ) : (
        <NotOpen conversation={conversation} onRetry={reopen} />
      )}
      <div className="relative mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-6 before:bg-linear-to-t before:from-canvas before:to-transparent md:px-6 md:pb-4">
        <GoalStrip sessionKey={sessionKey} />
        <SubagentStrip subagents={subagents ?? []} />
        {isDemo && !isFixed && (
          <DemoStrip isBeginning={isEmpty} said={said} onExample={(text) => actions.send({ text })} />
        )}
        {isFixed ? (
          <ReadOnlyNote onBranch={() => void actions.branch(undefined)} />
        ) : (
          <Composer
            key={sessionKey ?? ""}
            sessionKey={sessionKey}
            conversation={conversation}
            actions={actions}
            editing={editing}
            quoted={quoted}
            onEdit={setEditing}
          />
        )}
      </div>
    </ChatProvider>
  );
}

const pageSize = 60;

/** Opens the conversation, and again when it is out of date. `at`: a message that has to be among those shown. */
function useConversation(key: string | undefined, at: string | undefined) {
  const { store, connection } = useWire();
  const conversation = useStore((state) => (key === undefined ? undefined : state.conversations.get(key)));
  const isOnline = useStore((state) => state.link === "online");
  const open = useCallback(
    async (around?: string) => {
      if (key === undefined) return;
      store.dispatch({ type: "open-started", sessionKey: key });
      const params = { sessionKey: key, limit: pageSize, ...(around !== undefined && { around }) };
      const outcome = await connection.ask("chat.open", params);
      if (outcome.ok) store.dispatch({ type: "opened", opened: outcome.result });
      else store.dispatch({ type: "open-failed", sessionKey: key, problem: outcome.problem });
    },
    [key, store, connection],
  );
  const isNeeded = conversation === undefined || conversation.status === "stale";
  useEffect(() => {
    if (isNeeded && isOnline) void open(at);
  }, [at, isNeeded, isOnline, open]);
  const isMissing =
    at !== undefined && conversation?.status === "open" && !conversation.parts.some(({ id }) => id === at);
  const sought = useRef<string>(undefined);
  useEffect(() => {
    if (!isMissing || sought.current === at) return;
    sought.current = at;
    void open(at);
  }, [at, isMissing, open]);
  return { conversation, reopen: () => void open(), ...useOlder(conversation) };
}

function useOlder(conversation: Conversation | undefined) {
  const { store, connection } = useWire();
  const [isLoadingOlder, setIsLoadingOlder] = useState(false);
  const isBusy = useRef(false);
  const first = conversation?.parts.find(({ kind }) => kind !== "aside")?.id;
  const canLoad = conversation?.status === "open" && conversation.hasMore;
  const key = conversation?.key;
  const loadOlder = useCallback(async () => {
    if (!canLoad || key === undefined || first === undefined || isBusy.current) return;
    isBusy.current = true;
    setIsLoadingOlder(true);
    const outcome = await connection.ask("chat.open", { sessionKey: key, before: first, limit: pageSize });
    isBusy.current = false;
    setIsLoadingOlder(false);
    if (outcome.ok) store.dispatch({ type: "older-loaded", opened: outcome.result });
  }, [canLoad, key, first, connection, store]);
  return { loadOlder, isLoadingOlder };
}

function NotOpen({ conversation, onRetry }: { conversation: Conversation | undefined; onRetry(): void }) {
  const words = useWords().chat;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {conversation?.status === "removed" ? (
        <EmptyState icon={Trash2} title={words.removed} />
      ) : conversation?.status === "failed" ? (
        <ErrorState message={conversation.problem?.message ?? ""} onRetry={onRetry} />
      ) : (
        <div className="mx-auto max-w-3xl px-6 py-10">
          <SkeletonLines count={8} />
        </div>
      )}
    </div>
  );
}

function ReadOnlyNote({ onBranch }: { onBranch(): void }) {
  const words = useWords().chat;
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 rounded-card border border-line bg-side p-3 text-small text-muted">
      {words.readOnly}
      <Button size="small" onClick={onBranch}>
        {words.branchToGoOn}
      </Button>
    </div>
  );
}

/** An empty conversation: a greeting and three ways to begin. */
function Greeting({ isDemo, onExample }: { isDemo: boolean; onExample(text: string): void }) {
  const words = useWords().chat;
  const starters = useStarters(isDemo);
  return (
    <div className="flex min-h-0 flex-1 flex-col justify-end overflow-y-auto md:justify-center">
      <div className="mx-auto w-full max-w-3xl px-4 py-8 md:px-6">
        <img src="./icon.svg" alt="" className="mb-5 size-12" />
        <h1 className="text-[1.75rem] leading-9 font-semibold tracking-tight">
          {words.hello(new Date().getHours())}
        </h1>
        <p className="text-large text-muted">{words.helloBelow}</p>
        <ul className="mt-8 grid gap-3 md:grid-cols-3">
          {starters.map(({ title, text }) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => onExample(text)}
                className="group flex h-full w-full flex-col gap-1 rounded-card border border-line bg-surface p-4 text-left transition-colors hover:border-strong-line"
              >
                <span className="flex items-center justify-between font-medium">
                  {title}
                  <ArrowUpRight aria-hidden className="size-4 text-muted group-hover:text-accent" />
                </span>
                <span className="line-clamp-3 text-small text-muted">{text}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
