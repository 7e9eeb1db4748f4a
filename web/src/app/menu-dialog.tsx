// What is not in the bar: the other pages on a phone, theme, language, shortcuts.
import { Keyboard } from "lucide-react";
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field, Select } from "../components/field.tsx";
import { Tabs } from "../components/tabs.tsx";
import type { Language } from "../words/index.ts";
import { useWords } from "../words/use-words.ts";
import { usePreferences } from "./preferences.tsx";
import { Link, toPath } from "./router.tsx";
import type { Route } from "./routes.ts";

export interface MenuDialogProps {
  routes: Route[];
  isOpen: boolean;
  onClose(): void;
  onShortcuts(): void;
}

export function MenuDialog({ routes, isOpen, onClose, onShortcuts }: MenuDialogProps) {
  const words = useWords().shell;
  const { theme, setTheme, language, setLanguage } = usePreferences();
  return (
    <Dialog title={words.menu} isOpen={isOpen} onClose={onClose} width="narrow">
      <div className="flex flex-col gap-5">
        <nav aria-label={words.navigation} className="grid grid-cols-3 gap-1 md:hidden">
          {routes.map(({ page, icon: Icon }) => (
            <Link
              key={page}
              to={toPath(page)}
              onClick={onClose}
              className="flex flex-col items-center gap-1 rounded-card p-3 text-tiny hover:bg-raised"
            >
              <Icon aria-hidden className="size-5" />
              {words.pages[page]}
            </Link>
          ))}
        </nav>
        <div className="flex flex-col gap-1">
          <span className="text-small font-medium">{words.theme}</span>
          <Tabs label={words.theme} tabs={words.themes} value={theme} onChange={setTheme} />
        </div>
        <Field label={words.language}>
          {(field) => (
            <Select
              {...field}
              value={language}
              onChange={(event) => setLanguage(event.target.value as Language)}
            >
              <option value="en">English</option>
              <option value="zh-CN">简体中文</option>
            </Select>
          )}
        </Field>
        <Button icon={Keyboard} className="max-md:hidden" onClick={onShortcuts}>
          {words.shortcuts}
        </Button>
      </div>
    </Dialog>
  );
}
