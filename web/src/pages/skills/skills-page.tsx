// Skills: what there is and why it can or cannot be used, switching, and the way to each one and to a new one.
import { Plus, Puzzle } from "lucide-react";
import { useState } from "react";
import type { SkillCard } from "../../../../src/api/skills/skill-view.ts";
import { phrase } from "../../../../src/i18n/phrase.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, ListCard, Page, Section } from "../../components/card.tsx";
import { Switch } from "../../components/field.tsx";
import { useNumbers } from "../../components/format.tsx";
import { askInChat } from "../../components/preview/preview-panel.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useMutation, useQuery, useSay, useStore } from "../../wire/hooks.tsx";
import * as skillsTexts from "../../words/skills.ts";
import { AddSkill } from "./add-skill.tsx";
import { nameSkill, SkillDialog } from "./skill-dialog.tsx";

export function SkillsPage() {
  const words = useTopic(skillsTexts);
  const query = useQuery("skills.list", {}, { topic: "skills" });
  const [shown, setShown] = useState<string>();
  const [isAdding, setIsAdding] = useState(false);
  const actions = (
    <Button tone="primary" icon={Plus} onClick={() => setIsAdding(true)}>
      {words.add}
    </Button>
  );
  return (
    <Page name="skills" about={words.about} actions={actions}>
      <Loaded query={query} lines={8}>
        {({ skills }) => (
          <ListCard items={skills} empty={<EmptyState icon={Puzzle} title={words.empty} action={actions} />}>
            {(skill) => <SkillRow key={skill.name} skill={skill} onShow={() => setShown(skill.name)} />}
          </ListCard>
        )}
      </Loaded>
      <FindMore />
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
  const words = useTopic(skillsTexts);
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
            {nameSkill(name, words)}
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
        label={words.use(nameSkill(name, words))}
        isOn={state !== "off"}
        isDisabled={change.isRunning}
        onChange={(isOn) => void change.run({ name, isOn })}
      />
    </li>
  );
}

function FindMore() {
  const words = useTopic(skillsTexts);
  return (
    <Section
      title={words.more}
      aside={<Button onClick={() => askInChat(words.moreAsk)}>{words.moreButton}</Button>}
    >
      <p className="text-small text-muted">{words.moreAbout}</p>
    </Section>
  );
}

const tones = { used: "good", off: "plain", waiting: "warn", broken: "bad" } as const;

function Extensions() {
  const words = useTopic(skillsTexts);
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
            {kind === "mcp" && <SignIn name={name} />}
          </div>
          <p className="text-small text-muted">{say(detail)}</p>
        </li>
      )}
    </ListCard>
  );
}

/** For a server that can be signed in to: the browser comes back to the gateway, and the list is read again. */
function SignIn({ name }: { name: string }) {
  const words = useTopic(skillsTexts);
  const { data } = useQuery("mcp.list", {}, { topic: "skills" });
  const login = useMutation("mcp.login");
  const logout = useMutation("mcp.logout");
  const isSignedIn = data?.servers.find((server) => server.name === name)?.isSignedIn;
  if (isSignedIn === undefined) return null;
  const begin = async () => {
    // Opened by the click itself: later, a browser would block it.
    const tab = window.open("", "_blank");
    const outcome = await login.run({
      name,
      redirectUrl: new URL("./oauth/callback", window.location.href).href,
    });
    const address = outcome.ok ? outcome.result.address : undefined;
    if (tab === null || address === undefined) return tab?.close();
    tab.opener = null;
    tab.location.href = address;
  };
  const end = () => void logout.run({ name });
  return (
    <Button
      size="small"
      disabled={login.isRunning || logout.isRunning}
      onClick={isSignedIn ? end : () => void begin()}
    >
      {isSignedIn ? words.signOut : words.signIn}
    </Button>
  );
}
