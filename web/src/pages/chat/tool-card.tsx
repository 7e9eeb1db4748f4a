// A call of a tool: one line of what it does and how it went; the rest behind it.
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
import { reveal } from "../../components/visible-text.ts";
import type { Call } from "../../store/conversation.ts";
import { useWords } from "../../words/use-words.ts";
import { useChat } from "./chat-context.ts";
import { SubagentLine } from "./subagent-line.tsx";
import { ToolDetail } from "./tool-detail.tsx";
import { formatDuration } from "./turn-cost-line.tsx";

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

/** Which argument tells most, where it is not the first text. */
const telling = ["command", "path", "pattern", "query", "url", "label", "task", "action"];

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
  // What prints is watched while it prints; everything else is there for who wants to know.
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
