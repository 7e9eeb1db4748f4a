// The chat page: the list of conversations at the side (a drawer on small screens), and the one that is open.
import { PanelLeft, Plus } from "lucide-react";
import { useState } from "react";
import { usePreferences, useWords } from "../../app/preferences.tsx";
import { navigate, toPath, usePlace, useTabTitle } from "../../app/router.tsx";
import { IconButton } from "../../components/button.tsx";
import { ModalBox } from "../../components/dialog.tsx";
import { SidePreview } from "../../components/preview/side-preview.tsx";
import { useStore } from "../../wire/hooks.tsx";
import { ConversationView } from "./conversation-view.tsx";
import { SessionMenu } from "./sessions/session-menu.tsx";
import { nameSession } from "./sessions/sessions.ts";
import { SessionsPanel } from "./sessions/sessions-panel.tsx";

export function ChatPage() {
  const words = useWords().chat;
  const { rest, query } = usePlace();
  const [sessionKey] = rest;
  const [file, turn] = [query.get("file"), query.get("turn")];
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const closeDrawer = () => setIsDrawerOpen(false);
  const { language } = usePreferences();
  const session = useStore((state) => (sessionKey ? state.sessions?.get(sessionKey) : undefined));
  const title = session ? nameSession(session, { words, language }) : words.untitled;
  useTabTitle(title);
  return (
    <div className="flex h-full">
      <aside className="hidden w-72 shrink-0 border-r border-line lg:block">
        <SessionsPanel current={sessionKey} onChosen={() => undefined} />
      </aside>
      {isDrawerOpen && (
        <ModalBox
          label={words.conversations}
          onClose={closeDrawer}
          className="m-0 h-dvh max-h-none w-80 max-w-[85vw] border-r border-line bg-side p-0 text-ink"
        >
          <SessionsPanel current={sessionKey} onChosen={closeDrawer} />
        </ModalBox>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-3 lg:px-6">
          <IconButton
            label={words.showConversations}
            icon={PanelLeft}
            className="lg:hidden"
            onClick={() => setIsDrawerOpen(true)}
          />
          <h1 className="min-w-0 truncate text-small font-medium">{title}</h1>
          {session && <SessionMenu session={session} isCurrent className="size-8 hover:bg-raised" />}
          <span className="flex-1" />
          <IconButton
            label={words.newChat}
            icon={Plus}
            className="lg:hidden"
            onClick={() => navigate(toPath("chat"))}
          />
        </header>
        <ConversationView key={sessionKey ?? ""} sessionKey={sessionKey} at={query.get("at") ?? undefined} />
      </div>
      {file !== null && sessionKey !== undefined && (
        <SidePreview
          key={file}
          path={file}
          {...(turn !== null && { turn: { sessionKey, turnId: turn } })}
          onClose={() => navigate(toPath("chat", sessionKey))}
        />
      )}
    </div>
  );
}
