// The text of one row of the request, as the model would read it; secrets are taken out as they are for the model.
import type { ContextRow } from "../../../../src/api/context/context.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";

export interface TextDialogProps {
  sessionKey: string;
  row: ContextRow;
  title: string;
  onClose(): void;
}

export function TextDialog({ sessionKey, row: { kind, name }, title, onClose }: TextDialogProps) {
  const words = useWords().context;
  const query = useQuery("context.text", { sessionKey, kind, name });
  return (
    <Dialog title={title} isOpen width="wide" onClose={onClose}>
      <Loaded query={query}>
        {({ pieces, isCut }) => (
          <>
            {pieces.length === 0 && <p className="text-muted">{words.textGone}</p>}
            {isCut && <p className="mb-2 text-small text-muted">{words.textCut}</p>}
            {pieces.map(({ role, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a message of a request has no other name than its place.
              <section key={index} className="mb-4 last:mb-0">
                {role && <h3 className="mb-1 text-small text-muted">{words.roles[role] ?? role}</h3>}
                <pre className="rounded-card bg-code px-4 py-3 font-mono text-small leading-5 break-words whitespace-pre-wrap">
                  {text}
                </pre>
              </section>
            ))}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
