// A picture that can be made larger and smaller, by buttons and by the keys + and -; 0 fits it again.
import { ZoomIn, ZoomOut } from "lucide-react";
import { useEffect, useState } from "react";
import { useWords } from "../../app/preferences.tsx";
import { IconButton } from "../button.tsx";
import { ScrollBox } from "../text.tsx";

const zooms = [25, 50, 75, 100, 150, 200, 400];
const keys: Record<string, number> = { "+": 1, "=": 1, "-": -1 };

export function ImageView({ name, url }: { name: string; url: string }) {
  const words = useWords().files;
  /** Undefined: as large as there is room. */
  const [zoom, setZoom] = useState<number>();
  const step = (by: number) =>
    setZoom((before) => {
      const at = zooms.indexOf(before ?? 100);
      return zooms[Math.max(0, Math.min(zooms.length - 1, at + by))];
    });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it uses nothing that changes.
  useEffect(() => {
    const listening = new AbortController();
    const press = ({ key, target }: KeyboardEvent) => {
      if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
      const by = keys[key];
      if (by !== undefined) step(by);
      else if (key === "0") setZoom(undefined);
    };
    addEventListener("keydown", press, listening);
    return () => listening.abort();
  }, []);
  return (
    <div className="relative h-full">
      <ScrollBox label={name} className="grid h-full place-items-center bg-code p-4">
        <img
          src={url}
          alt={name}
          className={zoom === undefined ? "max-h-full max-w-full object-contain" : "max-w-none"}
          style={zoom === undefined ? undefined : { zoom: zoom / 100 }}
        />
      </ScrollBox>
      <div className="absolute right-3 bottom-3 flex rounded-control border border-line bg-surface">
        <IconButton label={words.zoomOut} icon={ZoomOut} onClick={() => step(-1)} />
        <IconButton label={words.zoomIn} icon={ZoomIn} onClick={() => step(1)} />
      </div>
    </div>
  );
}
