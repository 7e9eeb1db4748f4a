// A preview next to the page where there is room for it, above it elsewhere.
import { useEffect, useState } from "react";
import { ModalBox } from "../dialog.tsx";
import { PreviewPanel } from "./preview-panel.tsx";

export function SidePreview(props: Parameters<typeof PreviewPanel>[0]) {
  const isWide = useIsWide();
  if (isWide)
    return (
      <aside className="w-[45%] max-w-3xl shrink-0 border-l border-line">
        <PreviewPanel {...props} />
      </aside>
    );
  return (
    <ModalBox
      label={props.path}
      onClose={props.onClose}
      className="m-0 h-dvh max-h-none w-dvw max-w-none bg-surface p-0 text-ink"
    >
      <PreviewPanel {...props} />
    </ModalBox>
  );
}

function useIsWide(): boolean {
  const [isWide, setIsWide] = useState(() => matchMedia("(min-width: 64rem)").matches);
  useEffect(() => {
    const wide = matchMedia("(min-width: 64rem)");
    const look = () => setIsWide(wide.matches);
    wide.addEventListener("change", look);
    return () => wide.removeEventListener("change", look);
  }, []);
  return isWide;
}
