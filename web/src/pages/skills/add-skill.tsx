// Adding a skill in two steps: it is fetched and checked, shown with the findings, and only then copied.
import { CircleCheck } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { StagedSkill } from "../../../../src/api/skills/skill-view.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { AreaField, ChoiceField, InputField, Tabs } from "../../components/field.tsx";
import { useNumbers } from "../../components/format.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { useMutation, useSay } from "../../wire/hooks.tsx";
import * as skillsTexts from "../../words/skills.ts";
import { Findings } from "./skill-dialog.tsx";

interface Offer {
  way: "source" | "text";
  source: string;
  text: string;
  /** Of several in one place. */
  name: string;
}

export function AddSkill({ onClose }: { onClose(): void }) {
  const words = useTopic(skillsTexts);
  const stage = useMutation("skills.stage", { isQuiet: true });
  const add = useMutation("skills.add", {
    isQuiet: true,
    done: ({ name }) => ({ text: words.added(name), tone: "good" }),
  });
  const discard = useMutation("skills.discard", { isQuiet: true });
  const [offer, setOffer] = useState<Offer>({ way: "source", source: "", text: "", name: "" });
  const [staged, setStaged] = useState<StagedSkill>();
  const [choices, setChoices] = useState<string[]>([]);
  const [isAccepted, setIsAccepted] = useState(false);
  const chosen = choices.includes(offer.name) ? offer.name : choices[0];
  const look = async () => {
    const source = { source: offer.source.trim(), ...(chosen && { name: chosen }) };
    const outcome = await stage.run({ offer: offer.way === "text" ? { text: offer.text } : source });
    if (!outcome.ok) return;
    setChoices(outcome.result.choices ?? []);
    setStaged(outcome.result.staged);
    // What was said of another skill does not hold for this one.
    setIsAccepted(false);
  };
  const goBack = () => {
    if (staged) void discard.run({ stage: staged.stage });
    setStaged(undefined);
    add.clear();
  };
  const leave = () => {
    goBack();
    onClose();
  };
  const finish = async (skill: StagedSkill) => {
    const outcome = await add.run({ stage: skill.stage, isAccepted });
    if (outcome.ok) onClose();
  };
  const isFlagged = (staged?.findings.length ?? 0) > 0;
  const actions = staged ? (
    <>
      <Button onClick={goBack}>{words.back}</Button>
      <Button tone="primary" type="submit" disabled={isFlagged && !isAccepted} isBusy={add.isRunning}>
        {words.addNow}
      </Button>
    </>
  ) : (
    // Its key keeps the button that leads back here from becoming this one, and sending the form, under the pointer.
    <Button key="look" tone="primary" type="submit" isBusy={stage.isRunning}>
      {words.look}
    </Button>
  );
  return (
    <Dialog
      title={staged?.name ?? words.addTitle}
      width="wide"
      onClose={leave}
      onSubmit={() => void (staged ? finish(staged) : look())}
      problem={add.problem?.message}
      actions={actions}
    >
      {staged ? (
        <Review staged={staged}>
          {isFlagged && (
            <label className="flex items-center gap-2 text-small font-medium">
              <input
                type="checkbox"
                className="size-4 accent-accent"
                checked={isAccepted}
                onChange={(event) => setIsAccepted(event.target.checked)}
              />
              {words.accept}
            </label>
          )}
        </Review>
      ) : (
        <OfferFields
          offer={offer}
          choices={choices}
          problem={stage.problem?.message}
          onChange={(change) => {
            // Names that were found in another place are none of this one.
            if (change.source !== undefined) setChoices([]);
            setOffer({ ...offer, ...change });
          }}
        />
      )}
    </Dialog>
  );
}

interface OfferFieldsProps {
  offer: Offer;
  choices: string[];
  problem: string | undefined;
  onChange(change: Partial<Offer>): void;
}

function OfferFields({ offer: { way, source, text, name }, choices, problem, onChange }: OfferFieldsProps) {
  const words = useTopic(skillsTexts);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Tabs label={words.way} tabs={words.ways} value={way} onChange={(next) => onChange({ way: next })} />
      </div>
      {way === "source" ? (
        <InputField
          label={words.source}
          hint={words.sourceHint}
          problem={problem}
          required
          maxLength={2_000}
          value={source}
          onChange={(next) => onChange({ source: next })}
        />
      ) : (
        <AreaField
          label={words.pasted}
          problem={problem}
          required
          rows={12}
          maxLength={200_000}
          className="font-mono text-small"
          placeholder={"---\nname: …\ndescription: …\n---\n"}
          value={text}
          onChange={(next) => onChange({ text: next })}
        />
      )}
      {way === "source" && choices.length > 0 && (
        <ChoiceField
          label={words.choose}
          value={name || (choices[0] ?? "")}
          options={Object.fromEntries(choices.map((choice) => [choice, choice]))}
          onChange={(next) => onChange({ name: next })}
        />
      )}
    </div>
  );
}

function Review({ staged, children }: { staged: StagedSkill; children: ReactNode }) {
  const words = useTopic(skillsTexts);
  const say = useSay();
  const { short } = useNumbers();
  return (
    <div className="flex flex-col gap-4">
      <p>{staged.description}</p>
      <p className="text-small text-muted">
        {words.files(staged.files.length)} · {words.tokens(short(staged.tokens))}
      </p>
      {staged.findings.length === 0 && (
        <p className="flex items-center gap-2 text-small text-good">
          <CircleCheck aria-hidden className="size-4" /> {words.clean}
        </p>
      )}
      <Findings findings={staged.findings} notes={staged.notes} />
      {children}
      {staged.isReplacing && (
        <section className="text-small">
          <h3 className="font-medium">{words.replaces}</h3>
          <pre className="mt-1 max-h-60 overflow-auto rounded-control bg-code p-3 font-mono">
            {staged.changes.map(say).join("\n")}
          </pre>
        </section>
      )}
      <section aria-label={words.text} className="rounded-card border border-line px-5 py-3">
        <Markdown text={staged.body} />
      </section>
    </div>
  );
}
