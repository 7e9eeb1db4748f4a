// A question: what is asked, the reason, the risk, and a button for each choice.
import { ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import { Button } from "../../../components/button.tsx";
import { QuestionDetail } from "../../../components/code.tsx";
import { reveal } from "../../../components/text.tsx";
import type { Ask, Question } from "../../../store/conversation.ts";
import { useSay, useStore } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";

type Approval = Extract<Question, { kind: "approval" }>;

export function AskCard({ ask: { askId, question } }: { ask: Ask }) {
  const words = useWords().chat.ask;
  const say = useSay();
  const heading = question.kind === "approval" ? words.heading : words.question;
  const title = reveal(say(question.phrase));
  return (
    <section
      aria-label={heading}
      className="flex animate-appear flex-col gap-3 rounded-card border border-warn bg-surface p-4"
    >
      <header className="flex items-start gap-2.5">
        <ShieldQuestion aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
        <div className="min-w-0">
          <p className="text-tiny font-medium text-warn">{heading}</p>
          <p className="font-medium break-words">{title}</p>
        </div>
      </header>
      {question.detail !== "" && <QuestionDetail detail={question.detail} title={title} />}
      {question.kind === "approval" && <AskNotes approval={question} />}
      <AskAnswers askId={askId} question={question} />
    </section>
  );
}

function AskNotes({ approval: { detail, reasons, risk, labels = [], subject } }: { approval: Approval }) {
  const words = useWords().chat.ask;
  const say = useSay();
  const notes = [
    [words.reason, reveal(reasons.map(say).join(" "))],
    [words.risk, say(risk)],
    [words.sources, labels.join(", ")],
    [words.covers, subject === detail.trim() ? "" : subject && reveal(subject)],
  ].filter((note): note is [string, string] => Boolean(note[1]));
  return (
    <dl className="flex flex-col gap-1 text-small">
      {notes.map(([name, text]) => (
        <div key={name} className="flex flex-col gap-x-3 sm:flex-row">
          <dt className="shrink-0 text-muted sm:w-36">{name}</dt>
          <dd className="min-w-0 break-words">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function AskAnswers({ askId, question }: { askId: string; question: Question }) {
  const words = useWords().chat.ask;
  const say = useSay();
  const { actions, isOwner } = useChat();
  const person = useStore((state) => state.viewer?.person);
  const [isSent, setIsSent] = useState(false);
  const answer = async (choice: string) => {
    setIsSent(true);
    await actions.answer({ askId, choice });
    setIsSent(false);
  };
  const mayAnswer = question.kind === "approval" ? isOwner : question.person === person;
  if (!mayAnswer) {
    return <p className="text-small text-muted">{words.ownerOnly}</p>;
  }
  return (
    <div className="flex flex-wrap gap-2">
      {question.choices.map(({ id, phrase }, index) => (
        <Button
          key={id}
          tone={id === "no" ? "danger" : index === 0 ? "primary" : undefined}
          disabled={isSent}
          className={id === "no" ? "sm:ml-auto" : undefined}
          onClick={() => void answer(id)}
        >
          {say(phrase)}
        </Button>
      ))}
    </div>
  );
}
