// The files that go with the message, above the field.
import { Paperclip, X } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import { useWords } from "../../words/use-words.ts";
import type { Uploads } from "./use-uploads.ts";

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
