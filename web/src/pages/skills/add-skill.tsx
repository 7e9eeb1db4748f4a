// Adding a skill in two steps: it is fetched and looked into, shown with what was found, and only then copied.
import { CircleCheck } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import type { SkillOffer, StagedSkill } from "../../../../src/server/protocol/skills.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { AreaField, ChoiceField, InputField } from "../../components/labelled.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { formatShort } from "../../components/number.ts";
import { Tabs } from "../../components/tabs.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";
import { Findings } from "./skill-dialog.tsx";

const ways = ["source", "text"] as const;

export function AddSkill({ onClose }: { onClose(): void }) {
  const words = useWords().skills;
  const { showToast } = useToasts();
  const stage = useMutation("skills.stage", { isQuiet: true });
  const add = useMutation("skills.add");
  const discard = useMutation("skills.discard", { isQuiet: true });
  const [staged, setStaged] = useState<StagedSkill>();
  const [choices, setChoices] = useState<string[]>([]);
  const [isAccepted, setIsAccepted] = useState(false);
  const form = useId();
  const look = async (offer: SkillOffer) => {
    const outcome = await stage.run({ offer, language: words.spoken });
    if (!outcome.ok) return;
    setChoices(outcome.result.choices ?? []);
    setStaged(outcome.result.staged);
  };
  const leave = () => {
    if (staged) void discard.run({ stage: staged.stage });
    onClose();
  };
  const finish = async (skill: StagedSkill) => {
    const outcome = await add.run({ stage: skill.stage, isAccepted, language: words.spoken });
    if (!outcome.ok) return;
    showToast({ text: words.added(outcome.result.name), tone: "good" });
    onClose();
  };
  const isFlagged = (staged?.shownFindings.length ?? 0) > 0;
  const actions = staged ? (
    <>
      <Button onClick={() => setStaged(undefined)}>{words.back}</Button>
      <Button
        tone="primary"
        disabled={isFlagged && !isAccepted}
        isBusy={add.isRunning}
        onClick={() => void finish(staged)}
      >
        {words.addNow}
      </Button>
    </>
  ) : (
    <Button tone="primary" type="submit" form={form} isBusy={stage.isRunning}>
      {words.look}
    </Button>
  );
  return (
    <Dialog isOpen title={staged?.name ?? words.addTitle} width="wide" onClose={leave} actions={actions}>
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
        <OfferForm id={form} choices={choices} problem={stage.problem?.message} onOffer={look} />
      )}
    </Dialog>
  );
}

interface OfferFormProps {
  id: string;
  choices: string[];
  problem: string | undefined;
  onOffer(offer: SkillOffer): Promise<void>;
}

function OfferForm({ id, choices, problem, onOffer }: OfferFormProps) {
  const words = useWords().skills;
  const [way, setWay] = useState<(typeof ways)[number]>("source");
  const [source, setSource] = useState("");
  const [text, setText] = useState("");
  const [name, setName] = useState("");
  const chosen = choices.includes(name) ? name : choices[0];
  const offer = way === "text" ? { text } : { source: source.trim(), ...(chosen && { name: chosen }) };
  return (
    <form
      id={id}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void onOffer(offer);
      }}
    >
      <div>
        <Tabs
          label={words.way}
          tabs={ways.map((value) => ({ value, label: words.ways[value] }))}
          value={way}
          onChange={(next) => setWay(next)}
        />
      </div>
      {way === "source" ? (
        <InputField
          label={words.source}
          hint={words.sourceHint}
          problem={problem}
          required
          value={source}
          onChange={setSource}
        />
      ) : (
        <AreaField
          label={words.pasted}
          problem={problem}
          required
          rows={12}
          className="font-mono text-small"
          placeholder={"---\nname: …\ndescription: …\n---\n"}
          value={text}
          onChange={setText}
        />
      )}
      {way === "source" && chosen && (
        <ChoiceField
          label={words.choose}
          value={chosen}
          options={choices.map((value) => ({ value, label: value }))}
          onChange={setName}
        />
      )}
    </form>
  );
}

function Review({ staged, children }: { staged: StagedSkill; children: ReactNode }) {
  const words = useWords().skills;
  const { language } = usePreferences();
  return (
    <div className="flex flex-col gap-4">
      <p>{staged.description}</p>
      <p className="text-small text-muted">
        {words.files(staged.files.length)} · {words.tokens(formatShort(staged.tokens, language))}
      </p>
      {staged.shownFindings.length === 0 && (
        <p className="flex items-center gap-2 text-small text-good">
          <CircleCheck aria-hidden className="size-4" /> {words.clean}
        </p>
      )}
      <Findings findings={staged.shownFindings} notes={staged.notes} />
      {children}
      {staged.isReplacing && (
        <section className="text-small">
          <h3 className="font-medium">{words.replaces}</h3>
          <pre className="mt-1 max-h-60 overflow-auto rounded-control bg-code p-3 font-mono">
            {staged.changes.join("\n")}
          </pre>
        </section>
      )}
      <section aria-label={words.text} className="rounded-card border border-line px-5 py-3">
        <Markdown text={staged.body} />
      </section>
    </div>
  );
}
