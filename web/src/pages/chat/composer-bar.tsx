// Below the field: files, speech and model at the left, stop and send at the right.
import { ArrowUp, ChevronDown, LoaderCircle, Mic, Paperclip, Square } from "lucide-react";
import { useRef } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { Menu } from "../../components/menu.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useStore } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";
import { canRecord, useRecorder } from "./use-recorder.ts";

export interface ComposerBarProps {
  sessionKey: string | undefined;
  model: string | undefined;
  isRunning: boolean;
  onFiles(files: Iterable<File>): void;
  onSpoken(text: string): void;
  onModel(name: string): void;
  onStop(): void;
  canSend: boolean;
  onSend(): void;
}

export function ComposerBar(props: ComposerBarProps) {
  const { isRunning, onFiles, onSpoken, onStop, canSend, onSend } = props;
  const words = useWords().chat;
  const { data: complete } = useQuery("chat.complete", {}, { topic: "config" });
  const picker = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-1 p-2">
      <IconButton label={words.attach} icon={Paperclip} onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          event.target.value = "";
        }}
      />
      {complete?.canTranscribe && canRecord() && <RecordButton onSpoken={onSpoken} />}
      <ModelMenu {...props} />
      <span className="flex-1" />
      {isRunning && (
        <Button icon={Square} onClick={onStop} className="rounded-full">
          {words.stop}
        </Button>
      )}
      <Button
        tone="primary"
        disabled={!canSend}
        onClick={onSend}
        aria-label={isRunning ? words.steer : words.send}
        title={isRunning ? words.steer : words.send}
        icon={ArrowUp}
        className="size-9 rounded-full px-0"
      />
    </div>
  );
}

function RecordButton({ onSpoken }: { onSpoken(text: string): void }) {
  const words = useWords().chat;
  const { state, toggle } = useRecorder(onSpoken);
  const icon = { idle: Mic, recording: Square, transcribing: LoaderCircle }[state];
  const labels = { idle: words.record, recording: words.stopRecording, transcribing: words.transcribing };
  return (
    <IconButton
      label={labels[state]}
      icon={icon}
      tone={state === "recording" ? "danger" : "quiet"}
      disabled={state === "transcribing"}
      onClick={toggle}
      className={state === "idle" ? "" : "animate-pulse-soft"}
    />
  );
}

function ModelMenu({ sessionKey, model, onModel }: ComposerBarProps) {
  const words = useWords().chat;
  const isOwner = useStore((state) => state.viewer?.role === "owner");
  const { data } = useQuery("chat.models", {}, { topic: "config", isEnabled: isOwner });
  const current = model || data?.current.name;
  if (current === undefined) return null;
  const toItem = (label: string, name = label) => ({
    label,
    isChosen: label === current,
    run: () => onModel(name),
  });
  if (data === undefined || data.isGiven || data.presets.length === 0 || sessionKey === undefined)
    return <span className="truncate px-2 text-small text-muted">{current}</span>;
  const items = [toItem(data.usual.name, "default"), ...data.presets.map((name) => toItem(name))];
  return (
    <Menu
      label={`${words.model}: ${current}`}
      items={items}
      side="above"
      className="flex h-8 min-w-0 items-center gap-1 rounded-control px-2 text-small text-muted hover:bg-raised hover:text-ink"
    >
      <span className="truncate">{current}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0" />
    </Menu>
  );
}
