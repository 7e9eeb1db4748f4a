// One skill in full: its text, what was found in it, and the decision about it.
import { useState } from "react";
import type { ShownFinding, ShownSkill } from "../../../../src/server/protocol/skills.ts";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Badge } from "../../components/card.tsx";
import { ConfirmDialog, Dialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";

export function SkillDialog({ name, onClose }: { name: string; onClose(): void }) {
  const words = useWords().skills;
  const query = useQuery("skills.show", { name, language: words.spoken }, { topic: "skills" });
  return (
    <Dialog
      isOpen
      title={name}
      width="wide"
      onClose={onClose}
      actions={query.data && <Actions skill={query.data} onClose={onClose} />}
    >
      <Loaded query={query} lines={8}>
        {(data) => (
          <div className="flex flex-col gap-4">
            <p className="text-small text-muted break-all">
              {data.path} · {words.files(data.files.length)}
            </p>
            {data.reasons.map(({ kind, text }) => (
              <p key={text} className="text-small text-warn">
                {kind === "flagged" ? words.blockedHint : text}
              </p>
            ))}
            <Findings findings={data.shownFindings} notes={data.notes} isAllowed={data.isAllowed} />
            <section aria-label={words.text} className="rounded-card border border-line px-5 py-3">
              <Markdown text={data.body} />
            </section>
          </div>
        )}
      </Loaded>
    </Dialog>
  );
}

interface FindingsProps {
  findings: ShownFinding[];
  notes: string[];
  isAllowed?: boolean;
}

/** The lines that are suspicious, as they stand in the skill, and what there is to know besides. */
export function Findings({ findings, notes, isAllowed = false }: FindingsProps) {
  const words = useWords().skills;
  return (
    <>
      {findings.length > 0 && (
        <section className="rounded-card border border-bad bg-bad-soft px-4 py-3 text-small">
          <h3 className="flex items-center gap-2 font-medium text-bad">
            {words.findings} {isAllowed && <Badge>{words.allowed}</Badge>}
          </h3>
          <ul className="mt-2 flex flex-col gap-2">
            {findings.map(({ rule, file, line, about, excerpt }) => (
              <li key={`${rule}.${file}.${line}`}>
                <span className="font-medium">{words.line(file, line)}</span>: {about}
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
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Actions({ skill, onClose }: { skill: ShownSkill; onClose(): void }) {
  const words = useWords().skills;
  const { showToast } = useToasts();
  const allow = useMutation("skills.allow");
  const remove = useMutation("skills.remove");
  const [isAsking, setIsAsking] = useState(false);
  const { name, hash } = skill;
  const drop = async () => {
    if (!(await remove.run({ name, hash })).ok) return;
    showToast({ text: words.removed(name) });
    onClose();
  };
  return (
    <>
      {skill.isRemovable && (
        <Button tone="danger" className="mr-auto" onClick={() => setIsAsking(true)}>
          {words.remove}
        </Button>
      )}
      {skill.state === "blocked" && (
        <Button tone="primary" isBusy={allow.isRunning} onClick={() => void allow.run({ name, hash })}>
          {words.allow}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={words.removeTitle(name)}
        confirm={words.remove}
        onConfirm={() => void drop()}
        onClose={() => setIsAsking(false)}
      >
        {words.removeHint}
      </ConfirmDialog>
    </>
  );
}
