// A group of settings as a card, with the groups below it; in an open one, blocks can be added by name.
import { Plus, Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Input } from "../../components/field.tsx";
import { useWords } from "../../words/use-words.ts";
import type { SettingGroup } from "./schema.ts";
import { SettingRow } from "./setting-row.tsx";
import { useAbout } from "./use-about.ts";
import type { Settings } from "./use-settings.ts";

export interface GroupCardProps {
  group: SettingGroup;
  settings: Settings;
  /** The name of a block that the person gave. */
  name?: string;
}

export function GroupCard({ group, settings, name }: GroupCardProps) {
  const words = useWords().settings;
  const about = useAbout();
  const { path, fields, groups, isOpen } = group;
  if (name !== undefined && settings.isChanged(path) && !settings.isOwn(path)) return null;
  return (
    <section className="flex flex-col gap-4">
      {(fields.length > 0 || isOpen) && (
        <Card>
          <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
            <h2 className="font-semibold">{name ?? (about(group) || path.join("."))}</h2>
            {name !== undefined && (
              <IconButton
                label={words.removeBlock(name)}
                icon={Trash2}
                onClick={() => settings.change(path, null)}
              />
            )}
          </header>
          <div className="divide-y divide-line">
            {fields.map((field) => (
              <SettingRow key={field.path.join(".")} field={field} settings={settings} />
            ))}
          </div>
          {isOpen && <AddBlock group={group} settings={settings} />}
        </Card>
      )}
      {groups.map((inner) => (
        <GroupCard
          key={inner.path.join(".")}
          group={inner}
          settings={settings}
          {...(isOpen && { name: inner.path.at(-1) ?? "" })}
        />
      ))}
    </section>
  );
}

function AddBlock({ group: { path }, settings }: { group: SettingGroup; settings: Settings }) {
  const words = useWords().settings;
  const [name, setName] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === "" || settings.isOwn([...path, wanted])) return;
    settings.change([...path, wanted], {});
    setName("");
  };
  return (
    <form onSubmit={add} className="flex flex-wrap gap-2 px-5 py-4">
      <Input
        aria-label={words.blockName}
        placeholder={words.blockName}
        value={name}
        onChange={({ target }) => setName(target.value)}
        className="max-w-60"
      />
      <Button type="submit" icon={Plus} disabled={name.trim() === ""}>
        {words.addBlock}
      </Button>
    </form>
  );
}
