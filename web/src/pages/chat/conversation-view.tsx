// One conversation: its messages, or a greeting where there are none, and the field to write in.
import { useMemo, useState } from "react";
import { shortcuts, useShortcut } from "../../app/shortcuts.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useStore } from "../../wire/wire-context.tsx";
import { ChatProvider } from "./chat-context.ts";
import { Composer } from "./composer.tsx";
import { ReadOnlyNote, Waiting } from "./conversation-states.tsx";
import { Greeting } from "./greeting.tsx";
import { MessageList } from "./message-list.tsx";
import { SubagentStrip } from "./subagent-line.tsx";
import { toRows } from "./to-rows.ts";
import { useChatActions } from "./use-chat-actions.ts";
import { useConversation } from "./use-conversation.ts";
import { isReadOnly } from "./use-sessions.ts";

export interface Editing {
  entryId: string;
  text: string;
}

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
  const rows = useMemo(() => (conversation ? toRows(conversation) : []), [conversation]);
  const isRunning = conversation?.running !== undefined;
  const canRewind = !isRunning && !isFixed && conversation?.status === "open";
  const subagents = conversation?.subagents;
  const { data: { currency = "" } = {} } = useQuery("usage.budgets", {}, { isEnabled: isOwner });
  const chat = useMemo(
    () => ({
      sessionKey: sessionKey ?? "",
      actions,
      isOwner,
      canRewind,
      currency,
      subagents: new Map(subagents?.map((subagent) => [subagent.id, subagent])),
      edit: (entryId: string, text: string) => setEditing({ entryId, text }),
    }),
    [sessionKey, actions, isOwner, canRewind, currency, subagents],
  );
  const isEditing = editing !== undefined;
  useShortcut(
    shortcuts.stop,
    () => (isEditing ? setEditing(undefined) : actions.stop()),
    isRunning || isEditing,
  );
  const isEmpty = sessionKey === undefined || (conversation?.status === "open" && rows.length === 0);
  return (
    <ChatProvider value={chat}>
      {isEmpty ? (
        <Greeting onExample={(text) => actions.send({ text })} />
      ) : rows.length > 0 ? (
        <MessageList rows={rows} at={at} onTop={loadOlder} isLoadingOlder={isLoadingOlder} />
      ) : (
        <Waiting conversation={conversation} onRetry={reopen} />
      )}
      <div className="relative mx-auto w-full max-w-3xl shrink-0 px-3 pb-3 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-6 before:bg-linear-to-t before:from-canvas before:to-transparent md:px-6 md:pb-4">
        <SubagentStrip subagents={subagents ?? []} />
        {isFixed ? (
          <ReadOnlyNote onBranch={() => void actions.branch(undefined)} />
        ) : (
          <Composer
            key={sessionKey ?? ""}
            sessionKey={sessionKey}
            conversation={conversation}
            actions={actions}
            editing={editing}
            onEdit={setEditing}
          />
        )}
      </div>
    </ChatProvider>
  );
}
