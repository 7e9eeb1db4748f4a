// What an operation that this page has called asks, whichever it is: its question with a button for each choice.
import { Button } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { QuestionDetail } from "../components/question-detail.tsx";
import { reveal } from "../components/visible-text.ts";
import type { PendingQuestion } from "../store/state.ts";
import { useStore, useWire } from "../wire/wire-context.tsx";
import { useSay } from "../words/use-say.ts";

export function QuestionDialog() {
  const pending = useStore((state) => state.questions[0]);
  return pending && <OpenQuestion key={pending.questionId} pending={pending} />;
}

function OpenQuestion({ pending: { requestId, questionId, question } }: { pending: PendingQuestion }) {
  const { store, connection } = useWire();
  const say = useSay();
  const { choices, detail = "" } = question;
  const refusal = choices.at(-1)?.id ?? "";
  const title = reveal(say(question.phrase));
  const answer = (choice: string) => {
    store.dispatch({ type: "answered", requestId });
    void connection.ask("questions.answer", { questionId, choice });
  };
  const actions = choices.toReversed().map(({ id, phrase }) => (
    <Button key={id} tone={id === refusal ? undefined : "primary"} onClick={() => answer(id)}>
      {say(phrase)}
    </Button>
  ));
  return (
    <Dialog title={title} isOpen width="wide" onClose={() => answer(refusal)} actions={actions}>
      {detail !== "" && <QuestionDetail detail={detail} title={title} />}
    </Dialog>
  );
}
