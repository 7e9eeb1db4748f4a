// Ctrl-K: pages and conversations by a few letters.
import { MessageCircle, Search } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { Dialog } from "../components/dialog.tsx";
import { nameSession } from "../pages/chat/sessions/sessions.ts";
import { useStore } from "../wire/hooks.tsx";
import { usePreferences, useWords } from "./preferences.tsx";
import { navigate, toPath } from "./router.tsx";
import type { Route } from "./routes.ts";

export function Palette({ routes, onClose }: { routes: Route[]; onClose(): void }) {
  const words = useWords().shell;
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const choices = useChoices(routes, text);
  const go = (path: string | undefined) => {
    if (path === undefined) return;
    onClose();
    navigate(path);
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((before) => Math.max(0, Math.min(choices.length - 1, before + step)));
    }
    if (event.key === "Enter" && !event.nativeEvent.isComposing) go(choices[chosen]?.path);
  };
  return (
    <Dialog title={words.palette} onClose={onClose} hasHeading={false}>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4 text-muted" />
        <input
          role="combobox"
          aria-expanded
          aria-controls="palette-choices"
          aria-activedescendant={choices[chosen] && `palette-${chosen}`}
          aria-label={words.palettePlaceholder}
          placeholder={words.palettePlaceholder}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={press}
          className="h-12 w-full bg-transparent outline-none"
        />
      </div>
      <div
        id="palette-choices"
        role="listbox"
        aria-label={words.palette}
        className="max-h-80 overflow-y-auto p-2"
      >
        {choices.length === 0 && <p className="p-3 text-small text-muted">{words.nothingFound}</p>}
        {choices.map(({ path, label, icon: Icon }, index) => (
          <button
            key={path}
            id={`palette-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onClick={() => go(path)}
            className={`flex h-9 w-full items-center gap-3 rounded-control px-3 text-left text-small ${index === chosen ? "bg-accent-soft text-accent" : "hover:bg-raised"}`}
          >
            <Icon aria-hidden className="size-4 shrink-0" />
            <span className="truncate">{label}</span>
          </button>
        ))}
      </div>
    </Dialog>
  );
}

function useChoices(routes: Route[], text: string) {
  const { shell: words, chat } = useWords();
  const { language } = usePreferences();
  const sessions = useStore((state) => state.sessions);
  const pages = routes.map(({ page, icon }) => ({ path: toPath(page), label: words.pages[page], icon }));
  const chats = [...(sessions?.values() ?? [])]
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .map((session) => ({
      path: toPath("chat", session.key),
      label: nameSession(session, { words: chat, language }),
      icon: MessageCircle,
    }));
  const wanted = text.trim().toLowerCase();
  return [...pages, ...chats].filter(({ label }) => label.toLowerCase().includes(wanted)).slice(0, 30);
}
