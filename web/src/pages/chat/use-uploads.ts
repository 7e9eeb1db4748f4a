// Files that go with the next message: put to the gateway piece by piece while the person still writes.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Attachment } from "../../../../src/api/chat/wire.ts";
import { useToasts } from "../../app/toasts.tsx";
import type { Connection } from "../../wire/connection.ts";
import { newId } from "../../wire/new-id.ts";
import { useWire } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";

export interface Upload {
  fileId: string;
  name: string;
  /** 0 to 1; 1 is there. */
  progress: number;
  /** A picture to be seen before it is sent. */
  preview?: string;
}

export interface Uploads {
  uploads: readonly Upload[];
  add(files: Iterable<File>): void;
  remove(fileId: string): void;
  clear(): void;
  isReady: boolean;
}

const pieceBytes = 192 * 1024;

export function useUploads(): Uploads {
  const { connection } = useWire();
  const { showToast } = useToasts();
  const words = useWords().chat;
  const [uploads, setUploads] = useState<Upload[]>([]);
  const dropped = useRef(new Set<string>());
  const remove = useCallback((fileId: string) => {
    dropped.current.add(fileId);
    setUploads((all) => all.filter((upload) => upload.fileId !== fileId));
  }, []);
  const add = useCallback(
    (files: Iterable<File>) => {
      for (const file of files) {
        const upload = toUpload(file);
        setUploads((all) => [...all, upload]);
        const onProgress = (progress: number) => {
          setUploads((all) =>
            all.map((each) => (each.fileId === upload.fileId ? { ...each, progress } : each)),
          );
          return !dropped.current.has(upload.fileId);
        };
        void putFile(connection, upload, file, onProgress).then((problem) => {
          if (problem === undefined) return;
          remove(upload.fileId);
          showToast({ text: words.uploadFailed(file.name, problem), tone: "bad" });
        });
      }
    },
    [connection, remove, showToast, words],
  );
  const clear = useCallback(() => {
    setUploads((all) => {
      for (const { preview } of all) if (preview !== undefined) URL.revokeObjectURL(preview);
      return [];
    });
  }, []);
  return { uploads, add, remove, clear, isReady: uploads.every(({ progress }) => progress === 1) };
}

/** Files that are dropped anywhere on the page are taken; says whether some are held over it. */
export function useFileDrop(onFiles: (files: Iterable<File>) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const watch = (event: DragEvent) => {
      const files = event.dataTransfer;
      if (!files?.types.includes("Files")) return;
      event.preventDefault();
      setIsOver(event.type === "dragover");
      if (event.type === "drop") onFiles([...files.files]);
    };
    const leave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setIsOver(false);
    const listeners = { dragover: watch, drop: watch, dragleave: leave };
    for (const [name, listener] of Object.entries(listeners)) addEventListener(name as "drop", listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) removeEventListener(name as "drop", listener);
    };
  }, [onFiles]);
  return isOver;
}

function toUpload(file: File): Upload {
  const preview = file.type.startsWith("image/") ? { preview: URL.createObjectURL(file) } : {};
  return { fileId: newId(), name: file.name || "file", progress: 0, ...preview };
}

/** Returns why it failed. `onProgress` says whether to go on. */
export async function putFile(
  connection: Connection,
  { fileId, name }: { fileId: string; name: string },
  blob: Blob,
  onProgress: (progress: number) => boolean = () => true,
): Promise<string | undefined> {
  let offset = 0;
  do {
    const piece = blob.slice(offset, offset + pieceBytes);
    const isLast = offset + piece.size >= blob.size;
    const data = toBase64(new Uint8Array(await piece.arrayBuffer()));
    const outcome = await connection.ask("file.put", { fileId, name, offset, data, isLast });
    if (!outcome.ok) return outcome.problem.message;
    offset += piece.size;
    if (!onProgress(isLast ? 1 : offset / blob.size)) return undefined;
  } while (offset < blob.size);
  return undefined;
}

/** Files of a message that is said anew, put once more; instead the name and the trouble of one that was not. */
export async function putAgain(
  connection: Connection,
  attachments: readonly Attachment[] = [],
): Promise<Array<{ fileId: string; name: string }> | { name: string; problem: string }> {
  const files = [];
  for (const { name, url } of attachments) {
    const response = await fetch(url);
    const file = { fileId: newId(), name };
    const problem = response.ok
      ? await putFile(connection, file, await response.blob())
      : String(response.status);
    if (problem !== undefined) return { name, problem };
    files.push(file);
  }
  return files;
}

function toBase64(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += 0x8000)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000)));
  return btoa(parts.join(""));
}
