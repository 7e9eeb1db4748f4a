// How far the operation is that this page called last, in one line where toasts appear, too.
import { useStore } from "../wire/wire-context.tsx";
import { useSay } from "../words/use-say.ts";

export function ProgressLine() {
  const progress = useStore((state) => [...state.progress.values()].at(-1));
  const say = useSay();
  return (
    <div role="status" className="pointer-events-none fixed inset-x-3 top-3 flex justify-center">
      {progress && (
        <p className="max-w-md truncate rounded-card border border-line bg-surface px-4 py-1.5 text-small">
          {say(progress.phrase)}
        </p>
      )}
    </div>
  );
}
