// Speaking instead of typing: records, puts the recording to the gateway, and hands on what it understood.
import { useRef, useState } from "react";
import { useToasts } from "../../app/toasts.tsx";
import { newId } from "../../wire/new-id.ts";
import { useWire } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";
import { putFile } from "./use-uploads.ts";

export interface Recorder {
  state: "idle" | "recording" | "transcribing";
  /** Begins, or ends and writes down. */
  toggle(): void;
}

export const canRecord = (): boolean =>
  typeof MediaRecorder !== "undefined" && navigator.mediaDevices !== undefined;

export function useRecorder(onText: (text: string) => void): Recorder {
  const { connection } = useWire();
  const { showToast } = useToasts();
  const words = useWords().chat;
  const [state, setState] = useState<Recorder["state"]>("idle");
  const recorder = useRef<MediaRecorder>(undefined);
  const transcribe = async (recording: Blob) => {
    setState("transcribing");
    const file = { fileId: newId(), name: `voice.${toEnding(recording.type)}` };
    const problem = await putFile(connection, file, recording);
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
