// Skills: what there is and why it can or cannot be used, switching, and the way to each one and to a new one.
import { Plus, Puzzle } from "lucide-react";
import { useState } from "react";
import type { SkillCard } from "../../../../src/api/skills/skill-view.ts";
import { phrase } from "../../../../src/i18n/phrase.ts";
import { useWords } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, ListCard, Page } from "../../components/card.tsx";
import { Switch } from "../../components/field.tsx";
import { useNumbers } from "../../components/format.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useMutation, useQuery, useSay, useStore } from "../../wire/hooks.tsx";
import { AddSkill } from "./add-skill.tsx";
import { SkillDialog } from "./skill-dialog.tsx";

export function SkillsPage() {
  const words = useWords().skills;
  const query = useQuery("skills.list", {}, { topic: "skills" });
  const [shown, setShown] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const actions = (
    <Button tone="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page name="skills" actions={actions}>
      <Loaded query={query} lines={8}>
        {({ skills }) => (
          <ListCard items={skills} empty={<EmptyState icon={Puzzle} title={words.empty} action={actions} />}>
            {(skill) => <SkillRow key={skill.name} skill={skill} onShow={() => setShown(skill.name)} />}
          </ListCard>
        )}
      </Loaded>
      <Extensions />
      {shown !== undefined && <SkillDialog name={shown} onClose={() => setShown(undefined)} />}
      {isAdding && <AddSkill onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

const stateTones = {
  ready: "good",
  always: "good",
  off: "plain",
  blocked: "bad",
  unusable: "warn",
} as const;

function SkillRow({ skill, onShow }: { skill: SkillCard; onShow(): void }) {
  const words = useWords().skills;
  const say = useSay();
  const { short } = useNumbers();
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
          {skill.findings.length > 0 && <Badge tone="bad">{words.found(skill.findings.length)}</Badge>}
        </div>
        <p className="line-clamp-2 text-small">{say(skill.about)}</p>
        {reasons.map(({ kind, subject }) => (
          <p key={`${kind}.${subject}`} className="text-small text-warn">
            {say(phrase(`skills.reason.${kind}`, { subject }))}
          </p>
        ))}
        <p className="text-small text-muted">
          {words.sources[skill.source]} · {words.tokens(short(skill.tokens))}
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

const tones = { used: "good", off: "plain", waiting: "warn", broken: "bad" } as const;

function Extensions() {
  const words = useWords().skills;
  const say = useSay();
  const command = useStore((state) => state.command);
  const { data } = useQuery("skills.extensions", {}, { topic: "skills" });
  if (!data || data.extensions.length === 0) return null;
  return (
    <ListCard title={words.extensions} about={words.extensionsAbout(command)} items={data.extensions}>
      {({ kind, name, state, detail }) => (
        <li key={`${kind}.${name}`} className="px-5 py-3">
          <div className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span>
            <span className="text-small text-muted">{words.kinds[kind]}</span>
            <Badge tone={tones[state]}>{words.extensionStates[state]}</Badge>
          </div>
          <p className="text-small text-muted">{say(detail)}</p>
        </li>
      )}
    </ListCard>
  );
}
