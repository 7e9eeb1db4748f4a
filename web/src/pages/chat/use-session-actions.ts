// What can be done to a conversation as a whole: label it, take it out, delete it and think better of it.
import type { ParamsOf } from "../../../../src/server/protocol.ts";
import { navigate, toPath } from "../../app/router.tsx";
import { useToasts } from "../../app/toasts.tsx";
import { saveFile } from "../../components/save-file.ts";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWire } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";

export interface SessionActions {
  label(change: Omit<ParamsOf<"chat.label">, "sessionKey">): Promise<void>;
  remove(isCurrent: boolean): Promise<void>;
  exportAs(format: "markdown" | "json"): Promise<void>;
}

export function useSessionActions(sessionKey: string): SessionActions {
  const { store } = useWire();
  const { showToast } = useToasts();
  const words = useWords().chat;
  const labelling = useMutation("chat.label");
  const removing = useMutation("chat.remove");
  const recovering = useMutation("chat.recover");
  const exporting = useMutation("chat.export");
  const recover = async (undo: string) => {
    const outcome = await recovering.run({ undo });
    if (outcome.ok) store.dispatch({ type: "session-labelled", session: outcome.result });
  };
  return {
    async label(change) {
      const outcome = await labelling.run({ sessionKey, ...change });
      if (outcome.ok) store.dispatch({ type: "session-labelled", session: outcome.result });
    },
    async remove(isCurrent) {
      if (isCurrent) navigate(toPath("chat"));
      const outcome = await removing.run({ sessionKey });
      if (!outcome.ok) return;
      const { undo } = outcome.result;
      showToast({ text: words.removed, action: { label: words.undo, run: () => void recover(undo) } });
    },
    async exportAs(format) {
      const outcome = await exporting.run({ sessionKey, format });
      if (!outcome.ok) return;
      const type = format === "json" ? "application/json" : "text/markdown";
      saveFile(outcome.result.name, outcome.result.text, type);
    },
  };
}
