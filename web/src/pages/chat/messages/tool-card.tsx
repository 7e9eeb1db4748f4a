// A tool call: one line with what it does and how it ended; arguments and result when it is opened.
import {
  Bot,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleSlash,
  FilePen,
  FileText,
  Globe,
  LoaderCircle,
  type LucideIcon,
  Search,
  SquareTerminal,
  Wrench,
} from "lucide-react";
import { useState } from "react";
import type { SubagentCard } from "../../../../../src/api/chat/wire.ts";
import { useWords } from "../../../app/preferences.tsx";
import { Button } from "../../../components/button.tsx";
import { Badge } from "../../../components/card.tsx";
import { CodeBlock, Diff, isDiff } from "../../../components/code.tsx";
import { formatDuration } from "../../../components/format.tsx";
import { Terminal } from "../../../components/terminal.tsx";
import { reveal } from "../../../components/text.tsx";
import type { Call, CallResult } from "../../../store/conversation.ts";
import { useMutation } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";
import { AttachmentList } from "../composer/attachments.tsx";

const icons: Record<string, LucideIcon> = {
  read_file: FileText,
  write_file: FilePen,
  edit_file: FilePen,
  notebook_edit: FilePen,
  list_dir: FileText,
  glob: Search,
  grep: Search,
  memory_search: Search,
  exec: SquareTerminal,
  process: SquareTerminal,
  web_search: Globe,
  web_fetch: Globe,
  spawn: Bot,
};

/** Arguments that say most about a call, best first. */
const telling = ["command", "pattern", "query", "path", "url", "label", "task", "action"];

export function toHint({ arguments: args }: Call): string {
  const name = telling.find((candidate) => typeof args[candidate] === "string");
  const value =
    name === undefined ? Object.values(args).find((each) => typeof each === "string") : args[name];
  return typeof value === "string" ? reveal(value.slice(0, 300).replaceAll(/\s+/g, " ").trim()) : "";
}

export function ToolCard({ call, isActive }: { call: Call; isActive: boolean }) {
  const words = useWords().chat;
  const { subagents } = useChat();
  const [isOpen, setIsOpen] = useState<boolean>();
  const Icon = icons[call.name] ?? Wrench;
  const isRunning = call.result === undefined && isActive;
  const subagent = call.name === "spawn" ? subagents.get(call.id) : undefined;
  // Open while it prints output, unless the user chose otherwise.
  const isShown = isOpen ?? (isRunning && call.progress !== "" && subagent === undefined);
  return (
    <div>
      <button
        type="button"
        aria-expanded={isShown}
        onClick={() => setIsOpen(!isShown)}
        className="flex w-full items-center gap-2.5 px-3.5 py-2 text-left text-small hover:bg-raised"
      >
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="shrink-0 font-medium">{words.tools[call.name] ?? call.name}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-tiny text-muted">{toHint(call)}</span>
        <CallState call={call} isRunning={isRunning} />
        <ChevronRight
          aria-hidden
          className={`size-4 shrink-0 text-muted transition-transform ${isShown ? "rotate-90" : ""}`}
        />
      </button>
      {subagent && <SubagentLine subagent={subagent} />}
      {isShown && <ToolDetail call={call} />}
    </div>
  );
}

function CallState({ call: { result }, isRunning }: { call: Call; isRunning: boolean }) {
  const words = useWords().chat;
  if (isRunning)
    return (
      <LoaderCircle
        role="img"
        aria-label={words.toolRunning}
        className="size-4 shrink-0 animate-spin text-accent"
      />
    );
  if (result === undefined)
    return <CircleSlash role="img" aria-label={words.toolStopped} className="size-4 shrink-0 text-muted" />;
  const State = result.isError ? CircleAlert : CircleCheck;
  return (
    <span className="flex shrink-0 items-center gap-1.5 text-tiny text-muted tabular-nums">
      {result.ms !== undefined && formatDuration(result.ms)}
      <State
        role="img"
        aria-label={result.isError ? words.toolFailed : words.toolDone}
        className={`size-4 ${result.isError ? "text-bad" : "text-good"}`}
      />
    </span>
  );
}

function SubagentLine({ subagent }: { subagent: SubagentCard }) {
  const words = useWords().chat.subagent;
  const { state, step, toolCalls, lastCalls } = subagent;
  const said = state === "running" ? words.running(step, toolCalls) : words[state];
  return (
    <div role="status" className="flex flex-wrap items-center gap-2 px-3.5 pb-2 pl-10 text-tiny text-muted">
      <Badge tone={state === "running" ? "accent" : "plain"}>{said}</Badge>
      {state !== "ended" && <span className="min-w-0 flex-1 truncate font-mono">{lastCalls.at(-1)}</span>}
    </div>
  );
}

/** Running helpers, above the text field, because their calls may be far up. */
export function SubagentStrip({ subagents }: { subagents: readonly SubagentCard[] }) {
  const words = useWords().chat.subagent;
  const active = subagents.filter(({ state }) => state !== "ended");
  if (active.length === 0) return null;
  return (
    <details className="mb-2 rounded-card border border-line bg-surface text-small">
      <summary className="flex items-center gap-2 px-3.5 py-1.5">
        <Bot aria-hidden className="size-4 animate-pulse-soft text-accent" />
        {words.working(active.length)}
      </summary>
      <ul className="divide-y divide-line border-t border-line">
        {active.map((subagent) => (
          <li key={subagent.id} className="pt-2">
            <p className="truncate px-3.5 pl-10 font-medium">{subagent.label || subagent.task}</p>
            <SubagentLine subagent={subagent} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function ToolDetail({ call }: { call: Call }) {
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

const context = 3;

/** Undefined: the call changes no text. */
export function toEditDiff({ arguments: args }: Pick<Call, "arguments">): string | undefined {
  const { path, old_text: before, new_text: after } = args;
  if (typeof before !== "string" || typeof after !== "string") return undefined;
  const [old, fresh] = [toLines(before), toLines(after)];
  const head = countSame(old, fresh);
  const tail = countSame(old.slice(head).reverse(), fresh.slice(head).reverse());
  const lines = [
    ...(typeof path === "string" ? [`--- ${path}`, `+++ ${path}`] : []),
    ...old.slice(Math.max(0, head - context), head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + context).map((line) => ` ${line}`),
  ];
  return lines.join("\n");
}

function toLines(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function countSame(a: readonly string[], b: readonly string[]): number {
  const length = Math.min(a.length, b.length);
  const index = a.slice(0, length).findIndex((line, at) => line !== b[at]);
  return index < 0 ? length : index;
}
