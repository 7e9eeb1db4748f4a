// Files of a message: those that were sent, and those that are uploaded while the user still types.
import { Paperclip, X } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import type { Attachment } from "../../../../../src/api/chat/wire.ts";
import { useWords } from "../../../app/preferences.tsx";
import { showToast } from "../../../app/toasts.tsx";
import { IconButton } from "../../../components/button.tsx";
import { type Connection, newId } from "../../../wire/connection.ts";
import { useWire } from "../../../wire/hooks.tsx";
import { ImageViewer } from "../messages/image-viewer.tsx";

export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  const [shown, setShown] = useState<number>();
  if (attachments.length === 0) return null;
  const images = attachments.filter(({ isImage }) => isImage);
  return (
    <ul className="flex flex-wrap gap-2">
      {shown !== undefined && (
        <ImageViewer images={images} first={shown} onClose={() => setShown(undefined)} />
      )}
      {attachments.map(({ name, url, isImage }) => (
        <li key={url}>
          {isImage ? (
            <button
              type="button"
              title={name}
              onClick={() => setShown(images.findIndex((image) => image.url === url))}
              className="block cursor-zoom-in rounded-card"
            >
              <img
                src={`.${url}`}
                alt={name}
                loading="lazy"
                className="h-44 max-w-full rounded-card border border-line object-cover"
              />
            </button>
          ) : (
            <a href={`.${url}`} target="_blank" rel="noopener" title={name} className="block rounded-card">
              <span className="flex h-9 max-w-64 items-center gap-2 rounded-card border border-line bg-surface px-3 text-small text-ink hover:bg-raised">
                <Paperclip aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="truncate">{name}</span>
              </span>
            </a>
          )}
        </li>
      ))}
    </ul>
  );
}

interface Upload {
  fileId: string;
  name: string;
  /** 0 to 1. */
  progress: number;
  /** The address of a picture to show before it is sent. */
  preview?: string;
}

interface Uploads {
  uploads: readonly Upload[];
  add(files: Iterable<File>): void;
  remove(fileId: string): void;
  clear(): void;
  isReady: boolean;
}

export function UploadList({ uploads, remove }: Pick<Uploads, "uploads" | "remove">) {
  const words = useWords().chat;
  if (uploads.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-3 pt-3">
      {uploads.map(({ fileId, name, progress, preview }) => (
        <li
          key={fileId}
          className="relative flex h-11 max-w-60 items-center gap-2 overflow-hidden rounded-control border border-line bg-side pr-1 pl-2 text-small"
        >
          {preview === undefined ? (
            <Paperclip aria-hidden className="size-4 shrink-0 text-muted" />
          ) : (
            <img src={preview} alt="" className="size-8 shrink-0 rounded object-cover" />
          )}
          <span className="truncate">{name}</span>
          <IconButton label={words.removeFile(name)} icon={X} onClick={() => remove(fileId)} />
          {progress < 1 && (
            <progress
              aria-label={name}
              value={progress}
              className="absolute inset-x-0 bottom-0 h-0.5 w-full appearance-none [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-transparent [&::-webkit-progress-value]:bg-accent"
            />
          )}
        </li>
      ))}
    </ul>
  );
}

export function useUploads(): Uploads {
  const { connection } = useWire();
  const words = useWords().chat;
  const [uploads, setUploads] = useState<Upload[]>([]);
  const removed = useRef(new Set<string>());
  const remove = useCallback((fileId: string) => {
    removed.current.add(fileId);
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
          return !removed.current.has(upload.fileId);
        };
        void uploadFile(connection, upload, file, onProgress).then((problem) => {
          if (problem === undefined) return;
          remove(upload.fileId);
          showToast({ text: words.uploadFailed(file.name, problem), tone: "bad" });
        });
      }
    },
    [connection, remove, words],
  );
  const clear = useCallback(() => {
    setUploads((all) => {
      for (const { preview } of all) if (preview !== undefined) URL.revokeObjectURL(preview);
      return [];
    });
  }, []);
  return { uploads, add, remove, clear, isReady: uploads.every(({ progress }) => progress === 1) };
}

function toUpload(file: File): Upload {
  const preview = file.type.startsWith("image/") ? { preview: URL.createObjectURL(file) } : {};
  return { fileId: newId(), name: file.name || "file", progress: 0, ...preview };
}

/** Takes files that are dropped anywhere on the page; returns whether some are dragged over it. */
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
    const listening = new AbortController();
    addEventListener("dragover", watch, listening);
    addEventListener("drop", watch, listening);
    addEventListener("dragleave", leave, listening);
    return () => listening.abort();
  }, [onFiles]);
  return isOver;
}

const pieceBytes = 192 * 1024;

/** Returns why it failed. `onProgress` returns whether to continue. */
export async function uploadFile(
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

/** Uploads the files of a message that is sent again; returns the first that failed instead. */
export async function uploadAgain(
  connection: Connection,
  attachments: readonly Attachment[],
): Promise<Array<{ fileId: string; name: string }> | { name: string; problem: string }> {
  const files = [];
  for (const { name, url } of attachments) {
    const response = await fetch(`.${url}`);
    const file = { fileId: newId(), name };
    const problem = response.ok
      ? await uploadFile(connection, file, await response.blob())
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
