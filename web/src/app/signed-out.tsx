// What a browser sees that the gateway does not know: how to sign in.
import { KeyRound } from "lucide-react";
import { EmptyState } from "../components/states.tsx";
import { useWords } from "../words/use-words.ts";

export function SignedOut() {
  const words = useWords().shell;
  return (
    <main className="grid h-full place-items-center">
      <EmptyState icon={KeyRound} title={words.signedOut}>
        {words.signedOutHint}
      </EmptyState>
    </main>
  );
}
