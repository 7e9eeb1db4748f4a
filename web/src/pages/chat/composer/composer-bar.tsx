// The buttons below the text field: files, voice, model, stop and send.
import { ArrowUp, LoaderCircle, Mic, Paperclip, Square } from "lucide-react";
import { useRef, useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import { showToast } from "../../../app/toasts.tsx";
import { Button, IconButton } from "../../../components/button.tsx";
import { newId } from "../../../wire/connection.ts";
import { useQuery, useWire } from "../../../wire/hooks.tsx";
import { uploadFile } from "./attachments.tsx";
import { ModelButton } from "./model-button.tsx";

interface ComposerBarProps {
  sessionKey: string | undefined;
  model: string | undefined;
  isRunning: boolean;
  onFiles(files: Iterable<File>): void;
  onSpoken(text: string): void;
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
      <ModelButton sessionKey={props.sessionKey} model={props.model} />
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

interface Recorder {
  state: "idle" | "recording" | "transcribing";
  /** Starts recording, or stops and transcribes. */
  toggle(): void;
}

const canRecord = (): boolean => typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;

function useRecorder(onText: (text: string) => void): Recorder {
  const { connection } = useWire();
  const words = useWords().chat;
  const [state, setState] = useState<Recorder["state"]>("idle");
  const recorder = useRef<MediaRecorder>(undefined);
  const transcribe = async (recording: Blob) => {
    setState("transcribing");
    const file = { fileId: newId(), name: `voice.${toEnding(recording.type)}` };
    const problem = await uploadFile(connection, file, recording);
    const outcome = await (problem ?? connection.ask("file.transcribe", { fileId: file.fileId }));
    setState("idle");
    if (typeof outcome === "string") showToast({ text: outcome, tone: "bad" });
    else if (outcome.ok) onText(outcome.result.text);
    else showToast({ text: outcome.problem.message, tone: "bad" });
  };
  const start = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(() => undefined);
    if (stream === undefined) return showToast({ text: words.noMicrophone, tone: "bad" });
    const pieces: Blob[] = [];
    const active = new MediaRecorder(stream);
    recorder.current = active;
    active.addEventListener("dataavailable", ({ data }) => pieces.push(data));
    active.addEventListener("stop", () => {
      for (const track of stream.getTracks()) track.stop();
      void transcribe(new Blob(pieces, { type: active.mimeType }));
    });
    active.start();
    setState("recording");
  };
  const toggle = () => {
    if (state === "recording") recorder.current?.stop();
    else if (state === "idle") void start();
  };
  return { state, toggle };
}

function toEnding(type: string): string {
  if (type.includes("mp4")) return "m4a";
  return type.includes("ogg") ? "ogg" : "webm";
}
