// One skill in the list: its state and why it cannot be used, what it costs, and its switch.
import type { SkillCard } from "../../../../src/api/skills/skill-view.ts";
import { phrase } from "../../../../src/i18n/phrase.ts";
import { Badge } from "../../components/card.tsx";
import { Switch } from "../../components/field.tsx";
import { useNumbers } from "../../components/number.ts";
import { useMutation } from "../../wire/use-mutation.ts";
import { useSay } from "../../words/use-say.ts";
import { useWords } from "../../words/use-words.ts";

const stateTones = {
  ready: "good",
  always: "good",
  off: "plain",
  blocked: "bad",
  unusable: "warn",
} as const;

export function SkillRow({ skill, onShow }: { skill: SkillCard; onShow(): void }) {
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
