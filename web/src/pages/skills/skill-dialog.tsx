// One skill in full: its text, what was found in it, and the decision about it.
import type { ShownSkill } from "../../../../src/api/skills/skill-view.ts";
import { phrase } from "../../../../src/i18n/phrase.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Badge } from "../../components/card.tsx";
import { ConfirmButton, Dialog } from "../../components/dialog.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { Loaded } from "../../components/states.tsx";
import { useMutation, useQuery, useSay } from "../../wire/hooks.tsx";
import * as skillsTexts from "../../words/skills.ts";

export function SkillDialog({ name, onClose }: { name: string; onClose(): void }) {
  const words = useTopic(skillsTexts);
  const say = useSay();
  const query = useQuery("skills.show", { name }, { topic: "skills" });
  const allow = useMutation("skills.allow", { isQuiet: true });
  const remove = useMutation("skills.remove", {
    isQuiet: true,
    done: () => ({ text: words.removed(name) }),
  });
  const drop = async (hash: string) => {
    if ((await remove.run({ name, hash })).ok) onClose();
  };
  const { hash = "", state, isRemovable = false } = query.data ?? {};
  const isBusy = allow.isRunning || remove.isRunning;
  const actions = (isRemovable || state === "blocked") && (
    <>
      {isRemovable && (
        <ConfirmButton
          tone="danger"
          className="mr-auto"
          title={words.removeTitle(name)}
          hint={words.removeHint}
          isBusy={isBusy}
          onConfirm={() => void drop(hash)}
        >
          {words.remove}
        </ConfirmButton>
      )}
      {state === "blocked" && (
        <Button tone="primary" isBusy={isBusy} onClick={() => void allow.run({ name, hash })}>
          {words.allow}
        </Button>
      )}
    </>
  );
  const problem = allow.problem ?? remove.problem;
  return (
    <Dialog
      title={nameSkill(name, words)}
      width="wide"
      onClose={onClose}
      actions={actions}
      problem={problem?.message}
    >
      <Loaded query={query} lines={8}>
        {(data) => (
          <div className="flex flex-col gap-4">
            <p className="text-small text-muted break-all">
              {data.path} · {words.files(data.files.length)}
            </p>
            {data.reasons.map(({ kind, subject }) => (
              <p key={`${kind}.${subject}`} className="text-small text-warn">
                {kind === "flagged" ? words.blockedHint : say(phrase(`skills.reason.${kind}`, { subject }))}
              </p>
            ))}
            <section className="text-small">
              <h3 className="font-medium">{words.may}</h3>
              <p className="text-muted">{words.mayAbout}</p>
              {listNeeds(data).length > 0 && (
                <p className="text-muted">{words.mayUse(listNeeds(data).join(", "))}</p>
              )}
            </section>
            <Wants skill={data} />
            <Findings findings={data.findings} notes={data.notes} isAllowed={data.isAllowed} />
            <section aria-label={words.text} className="rounded-card border border-line px-5 py-3">
              <Markdown text={data.body} />
            </section>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

/** The commands and hosts that it names, and the owner's decision about them. */
function Wants({ skill }: { skill: ShownSkill }) {
  const words = useTopic(skillsTexts);
  const change = useMutation("skills.grant");
  const { name, hash, isGranted, blocked } = skill;
  const { commands, hosts, tooMuch } = skill.wants;
  const named = [...commands, ...hosts];
  if (named.length + tooMuch.length === 0) return null;
  return (
    <section className="text-small">
      <h3 className="font-medium">{words.wants}</h3>
      {named.length > 0 && <p className="text-muted">{words.wantsAbout}</p>}
      <ul className="my-1 list-disc pl-5 font-mono">
        {named.map((row) => (
          <li key={row}>{row}</li>
        ))}
      </ul>
      {tooMuch.length > 0 && <p className="text-warn">{words.wantsTooMuch(tooMuch.join(", "))}</p>}
      {named.length > 0 && (
        <Button
          isBusy={change.isRunning}
          disabled={blocked && !isGranted}
          onClick={() => void change.run({ name, hash, isGranted: !isGranted })}
        >
          {isGranted ? words.revoke : words.grant}
        </Button>
      )}
    </section>
  );
}

/** As people call it: `pdf-tools` is "Pdf tools". */
export function nameSkill(name: string, words: typeof skillsTexts.english): string {
  const spaced = name.replaceAll(/[-_]+/g, " ");
  return words.names[name] ?? spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function listNeeds({ requires: { bins, anyBins, env, tools } }: ShownSkill): string[] {
  return [...bins, ...anyBins, ...env, ...tools];
}

interface FindingsProps extends Pick<ShownSkill, "findings" | "notes"> {
  isAllowed?: boolean;
}

/** The suspicious lines of the skill, and other notes. */
export function Findings({ findings, notes, isAllowed = false }: FindingsProps) {
  const words = useTopic(skillsTexts);
  const say = useSay();
  return (
    <>
      {findings.length > 0 && (
        <section className="rounded-card border border-bad bg-bad-soft px-4 py-3 text-small">
          <h3 className="flex items-center gap-2 font-medium text-bad">
            {words.findings} {isAllowed && <Badge>{words.allowed}</Badge>}
          </h3>
          <ul className="mt-2 flex flex-col gap-2">
            {findings.map(({ rule, file, line, excerpt }) => (
              <li key={`${rule}.${file}.${line}`}>
                <span className="font-medium">{words.line(file, line)}</span>:{" "}
                {say(phrase(`skills.rule.${rule}`))}
                {excerpt && (
                  <code className="mt-1 block overflow-x-auto rounded-control bg-code px-2 py-1 font-mono">
                    {excerpt}
                  </code>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {notes.length > 0 && (
        <section className="text-small">
          <h3 className="font-medium">{words.notes}</h3>
          <ul className="list-disc pl-5 text-muted">
            {notes.map(({ kind, subject }) => (
              <li key={`${kind}.${subject}`}>{say(phrase(`skills.note.${kind}`, { subject }))}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
