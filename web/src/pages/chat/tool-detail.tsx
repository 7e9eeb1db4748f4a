// What lies behind the line of a call: a change as a diff, a command as a terminal, everything else as it was given.
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code-block.tsx";
import { Diff, isDiff } from "../../components/diff.tsx";
import { Terminal } from "../../components/terminal.tsx";
import { reveal } from "../../components/visible-text.ts";
import type { Call, CallResult } from "../../store/conversation.ts";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { useChat } from "./chat-context.ts";
import { toEditDiff } from "./edit-diff.ts";

export function ToolDetail({ call }: { call: Call }) {
  const words = useWords().chat;
  return (
    <div className="flex flex-col gap-3 border-t border-line px-3.5 py-3">
      <Arguments call={call} />
      {call.result === undefined ? (
        call.progress !== "" && <Terminal text={call.progress} label={words.output} isLive />
      ) : (
        <Result call={call} result={call.result} />
      )}
    </div>
  );
}

function Arguments({ call }: { call: Call }) {
  const words = useWords().chat;
  const { command, path, content } = call.arguments;
  const diff = toEditDiff(call);
  if (typeof command === "string") return <CodeBlock code={reveal(command)} language="bash" isWrapped />;
  if (diff !== undefined) return <Diff text={diff} label={words.change} />;
  if (typeof path === "string" && typeof content === "string")
    return <CodeBlock code={content} language={path.split(".").at(-1) ?? ""} />;
  if (Object.keys(call.arguments).length === 0) return null;
  return (
    <dl className="flex flex-col gap-1 text-small">
      {Object.entries(call.arguments).map(([name, value]) => (
        <div key={name} className="flex gap-3">
          <dt className="w-24 shrink-0 truncate text-muted">{name}</dt>
          <dd className="min-w-0 font-mono break-words whitespace-pre-wrap">
            {reveal(typeof value === "string" ? value : JSON.stringify(value))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Result({ call, result }: { call: Call; result: CallResult }) {
  const words = useWords().chat;
  const { sessionKey } = useChat();
  const { run, isRunning } = useMutation("chat.entry");
  const [whole, setWhole] = useState<string>();
  const text = whole ?? result.text;
  const showAll = async (entryId: string) => {
    const outcome = await run({ sessionKey, entryId });
    if (outcome.ok) setWhole(outcome.result.text);
  };
  return (
    <>
      <AttachmentList attachments={result.attachments} />
      {text.trim() !== "" &&
        (isDiff(text) && call.name !== "exec" ? (
          <Diff text={text} label={words.result} />
        ) : (
          <Terminal text={text} label={words.result} />
        ))}
      {result.cutFrom !== undefined && whole === undefined && (
        <Button
          size="small"
          className="self-start"
          isBusy={isRunning}
          onClick={() => void showAll(result.cutFrom ?? "")}
        >
          {words.showAll}
        </Button>
      )}
    </>
  );
}
