// Says that the gateway is away, for as long as it is.
import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { useStore, useWire } from "../wire/wire-context.tsx";
import { useWords } from "../words/use-words.ts";

const patienceMs = 800;

export function LinkBanner() {
  const words = useWords().shell;
  const { connection } = useWire();
  const link = useStore((state) => state.link);
  const command = useStore((state) => state.command);
  const isShown = useLasting(link === "offline", patienceMs);
  if (link === "outdated")
    return (
      <Banner text={words.outdated}>
        <Button size="small" onClick={() => location.reload()}>
          {words.reload}
        </Button>
      </Banner>
    );
  if (!isShown) return null;
  return (
    <Banner text={words.offline} hint={words.offlineHint(command)}>
      <Button size="small" onClick={() => void connection.connect()}>
        {words.retry}
      </Button>
    </Banner>
  );
}

function Banner({ text, hint, children }: { text: string; hint?: string; children: React.ReactNode }) {
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-center justify-center gap-x-3 gap-y-1 bg-warn-soft px-4 py-1.5 text-small text-warn"
    >
      <WifiOff aria-hidden className="size-4" />
      <span>{text}</span>
      {hint && <span className="max-md:hidden">{hint}</span>}
      {children}
    </div>
  );
}

/** A moment without the gateway is not worth a word. */
function useLasting(isSo: boolean, ms: number): boolean {
  const [hasLasted, setHasLasted] = useState(false);
  useEffect(() => {
    if (!isSo) return setHasLasted(false);
    const timer = setTimeout(() => setHasLasted(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && hasLasted;
}
