// Skills: what there is and why it can or cannot be used, switching, and the way to each one and to a new one.
import { Plus, Puzzle } from "lucide-react";
import { useState } from "react";
import type { SkillCard } from "../../../../src/server/protocol/skills.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Card, Page } from "../../components/card.tsx";
import { Switch } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { formatShort } from "../../components/number.ts";
import { EmptyState } from "../../components/states.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { AddSkill } from "./add-skill.tsx";
import { Extensions } from "./extensions.tsx";
import { SkillDialog } from "./skill-dialog.tsx";

export const stateTones = {
  ready: "good",
  always: "good",
  off: "plain",
  blocked: "bad",
  unusable: "warn",
} as const;

export function SkillsPage() {
  const words = useWords().skills;
  const pages = useWords().shell.pages;
  const query = useQuery("skills.list", { language: words.spoken }, { topic: "skills" });
  const [shown, setShown] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const actions = (
    <Button tone="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page title={pages.skills} about={words.about} actions={actions}>
      <Loaded query={query} lines={8}>
        {({ skills }) => (
          <Card>
            {skills.length === 0 && <EmptyState icon={Puzzle} title={words.empty} action={actions} />}
            <ul className="divide-y divide-line">
              {skills.map((skill) => (
                <SkillRow key={skill.name} skill={skill} onShow={() => setShown(skill.name)} />
              ))}
            </ul>
          </Card>
        )}
      </Loaded>
      <Extensions />
      {shown !== undefined && <SkillDialog name={shown} onClose={() => setShown(undefined)} />}
      {isAdding && <AddSkill onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

function SkillRow({ skill, onShow }: { skill: SkillCard; onShow(): void }) {
  const words = useWords().skills;
  const { language } = usePreferences();
  const change = useMutation("skills.switch");
  const { name, state } = skill;
  // Being off or blocked is already said by the mark.
  const reasons = skill.reasons.filter(({ kind }) => kind !== "disabled" && kind !== "flagged");
  return (
    <li className="flex items-start gap-4 px-5 py-4">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <button type="button" onClick={onShow} className="font-medium hover:text-accent hover:underline">
            {name}
          </button>
          <Badge tone={stateTones[state]}>{words.states[state]}</Badge>
          {skill.findings > 0 && <Badge tone="bad">{words.found(skill.findings)}</Badge>}
        </div>
        <p className="line-clamp-2 text-small">{skill.description}</p>
        {reasons.map(({ text }) => (
          <p key={text} className="text-small text-warn">
            {text}
          </p>
        ))}
        <p className="text-small text-muted">
          {words.sources[skill.source]} · {words.tokens(formatShort(skill.tokens, language))}
        </p>
      </div>
      <Switch
        label={words.use(name)}
        isOn={state !== "off"}
        isDisabled={change.isRunning}
        onChange={(isOn) => void change.run({ name, isOn })}
      />
    </li>
  );
}
