// The pictures of a message over the whole page, one at a time; arrow keys go on, Esc closes.
import { ChevronLeft, ChevronRight, Download, X } from "lucide-react";
import { useEffect, useState } from "react";
import type { Attachment } from "../../../../../src/api/chat/wire.ts";
import { useWords } from "../../../app/preferences.tsx";
import { IconButton } from "../../../components/button.tsx";
import { ModalBox } from "../../../components/dialog.tsx";
import { ImageView } from "../../../components/preview/image-view.tsx";

interface ImageViewerProps {
  images: readonly Attachment[];
  first: number;
  onClose(): void;
}

export function ImageViewer({ images, first, onClose }: ImageViewerProps) {
  const words = useWords().shell;
  const [index, setIndex] = useState(first);
  const last = images.length - 1;
  useEffect(() => {
    const listening = new AbortController();
    const press = ({ key }: KeyboardEvent) => {
      if (key === "ArrowLeft") setIndex((at) => Math.max(0, at - 1));
      if (key === "ArrowRight") setIndex((at) => Math.min(last, at + 1));
    };
    addEventListener("keydown", press, listening);
    return () => listening.abort();
  }, [last]);
  const image = images[index];
  if (image === undefined) return null;
  return (
    <ModalBox
      label={image.name}
      onClose={onClose}
      className="m-0 h-dvh max-h-none w-screen max-w-none flex-col bg-surface p-0 text-ink open:flex"
    >
      <header className="flex h-12 shrink-0 items-center gap-1 border-b border-line px-3">
        <h2 className="min-w-0 flex-1 truncate text-small font-medium">{image.name}</h2>
        {last > 0 && (
          <>
            <IconButton
              label={words.previous}
              icon={ChevronLeft}
              disabled={index === 0}
              onClick={() => setIndex(index - 1)}
            />
            <span className="text-tiny text-muted tabular-nums">{`${index + 1}/${images.length}`}</span>
            <IconButton
              label={words.next}
              icon={ChevronRight}
              disabled={index === last}
              onClick={() => setIndex(index + 1)}
            />
          </>
        )}
        <a
          href={`.${image.url}`}
          download={image.name}
          aria-label={words.download}
          title={words.download}
          className="grid size-8 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
        >
          <Download aria-hidden className="size-4" />
        </a>
        <IconButton label={words.close} icon={X} onClick={onClose} />
      </header>
      <div className="min-h-0 flex-1">
        <ImageView key={image.url} name={image.name} url={`.${image.url}`} />
      </div>
    </ModalBox>
  );
}
