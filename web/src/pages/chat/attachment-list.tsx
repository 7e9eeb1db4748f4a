// Files and pictures of a message.
import { Paperclip } from "lucide-react";
import type { Attachment } from "../../../../src/api/chat/wire.ts";

export function AttachmentList({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {attachments.map(({ name, url, isImage }) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noopener" title={name} className="block rounded-card">
            {isImage ? (
              <img
                src={url}
                alt={name}
                loading="lazy"
                className="h-44 max-w-full rounded-card border border-line object-cover"
              />
            ) : (
              <span className="flex h-9 max-w-64 items-center gap-2 rounded-card border border-line bg-surface px-3 text-small text-ink hover:bg-raised">
                <Paperclip aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="truncate">{name}</span>
              </span>
            )}
          </a>
        </li>
      ))}
    </ul>
  );
}
