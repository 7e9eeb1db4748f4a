// The conversations: their list at the side (a drawer where there is no room), and the one that is open.
import { PanelLeft, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { usePreferences } from "../../app/preferences.tsx";
import { navigate, toPath, usePlace } from "../../app/router.tsx";
import { IconButton } from "../../components/button.tsx";
import { useStore } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";
import { ConversationView } from "./conversation-view.tsx";
import { nameSession } from "./session-name.ts";
import { SessionsPanel } from "./sessions-panel.tsx";

export function ChatPage() {
  const words = useWords().chat;
  const { rest, query } = usePlace();
  const [sessionKey] = rest;
  const [isDrawer, setIsDrawer] = useState(false);
  const { language } = usePreferences();
  const session = useStore((state) => (sessionKey ? state.sessions?.get(sessionKey) : undefined));
  const title = session && nameSession(session, { words, language });
  return (
    <div className="flex h-full">
      <aside className="hidden w-72 shrink-0 border-r border-line lg:block">
        <SessionsPanel current={sessionKey} onChosen={() => undefined} />
      </aside>
      <Drawer label={words.conversations} isOpen={isDrawer} onClose={() => setIsDrawer(false)}>
        <SessionsPanel current={sessionKey} onChosen={() => setIsDrawer(false)} />
      </Drawer>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-3 lg:px-6">
          <IconButton
            label={words.showConversations}
            icon={PanelLeft}
            className="lg:hidden"
            onClick={() => setIsDrawer(true)}
          />
          <h1 className="min-w-0 flex-1 truncate text-small font-medium">{title || words.untitled}</h1>
          <IconButton
            label={words.newChat}
            icon={Plus}
            className="lg:hidden"
            onClick={() => navigate(toPath("chat"))}
          />
        </header>
        <ConversationView key={sessionKey ?? ""} sessionKey={sessionKey} at={query.get("at") ?? undefined} />
      </div>
    </div>
  );
}

interface DrawerProps {
  label: string;
  isOpen: boolean;
  onClose(): void;
  children: React.ReactNode;
}

function Drawer({ label, isOpen, onClose, children }: DrawerProps) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it; a click beside it is one more way.
    <dialog
      ref={element}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
      className="m-0 h-dvh max-h-none w-80 max-w-[85vw] border-r border-line bg-side p-0 text-ink"
    >
      {isOpen && children}
    </dialog>
  );
}
