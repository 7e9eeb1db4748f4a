// A question before something is done: exactly what, why, what it could cost, and the answers that it allows.
import { ShieldQuestion } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Diff, isDiff } from "../../components/diff.tsx";
import { reveal } from "../../components/visible-text.ts";
import type { Ask, AskRequest } from "../../store/conversation.ts";
import { useRetold } from "../../wire/use-retold.ts";
import { useWords } from "../../words/use-words.ts";
import { useChat } from "./chat-context.ts";

export function AskCard({ ask: { askId, request: asked } }: { ask: Ask }) {
  const words = useWords().chat.ask;
  const [title = "", reason = ""] = useRetold([asked.title, asked.reason], "question");
  const request = { ...asked, title, reason };
  const { isOwner } = useChat();
  return (
    <section
      aria-label={words.heading}
      className="flex animate-appear flex-col gap-3 rounded-card border border-warn bg-surface p-4"
    >
      <header className="flex items-start gap-2.5">
        <ShieldQuestion aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
        <div className="min-w-0">
          <p className="text-tiny font-medium text-warn">{words.heading}</p>
          <p className="font-medium break-words">{request.title}</p>
        </div>
      </header>
      {request.detail !== "" && <AskDetail request={request} />}
      <AskNotes request={request} />
      {isOwner ? (
        <AskAnswers askId={askId} request={request} />
      ) : (
        <p className="text-small text-muted">{words.ownerOnly}</p>
      )}
    </section>
  );
}

function AskDetail({ request: { detail, title } }: { request: AskRequest }) {
  if (isDiff(detail)) return <Diff text={detail} label={title} isWrapped />;
  return <CodeBlock code={detail} isWrapped />;
}

function AskNotes({ request: { detail, reason, risk, labels = [], subject } }: { request: AskRequest }) {
  const words = useWords().chat.ask;
  const notes = [
    [words.reason, reason],
    [words.risk, risk && (words.risks[risk] ?? risk)],
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

function AskAnswers({ askId, request: { subject, isExact } }: { askId: string; request: AskRequest }) {
  const words = useWords().chat.ask;
  const { actions } = useChat();
  const [isSent, setIsSent] = useState(false);
  const answer = async (isAllowed: boolean, scope: "once" | "session" | "always") => {
    setIsSent(true);
    await actions.answer({ askId, isAllowed, scope });
    setIsSent(false);
  };
  return (
    <div className="flex flex-wrap gap-2">
      <Button tone="primary" disabled={isSent} onClick={() => void answer(true, "once")}>
        {words.once}
      </Button>
      {subject !== undefined && (
        <Button disabled={isSent} onClick={() => void answer(true, "session")}>
          {words.session}
        </Button>
      )}
      {subject !== undefined && isExact === true && (
        <Button disabled={isSent} onClick={() => void answer(true, "always")}>
          {words.always}
        </Button>
      )}
      <Button
        tone="danger"
        disabled={isSent}
        className="sm:ml-auto"
        onClick={() => void answer(false, "once")}
      >
        {words.refuse}
      </Button>
    </div>
  );
}
