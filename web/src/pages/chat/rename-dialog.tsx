// Another title for a conversation.
import { type FormEvent, useState } from "react";
import type { SessionCard } from "../../../../src/api/chat/wire.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Input } from "../../components/field.tsx";
import { useWords } from "../../words/use-words.ts";
import { useSessionActions } from "./use-session-actions.ts";

export interface RenameDialogProps {
  session: SessionCard;
  onClose(): void;
}

export function RenameDialog({ session, onClose }: RenameDialogProps) {
  const words = useWords().chat;
  const { label } = useSessionActions(session.key);
  const [title, setTitle] = useState(session.title);
  const save = (event: FormEvent) => {
    event.preventDefault();
    void label({ title: title.trim() });
    onClose();
  };
  return (
    <Dialog title={words.renameTitle} isOpen onClose={onClose} width="narrow">
      <form onSubmit={save} className="flex flex-col gap-4">
        <Field label={words.title} hint={words.titleHint}>
          {(field) => (
            <Input
              {...field}
              value={title}
              maxLength={200}
              onChange={(event) => setTitle(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" tone="primary" className="self-end">
          {words.save}
        </Button>
      </form>
    </Dialog>
  );
}
