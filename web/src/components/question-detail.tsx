// Exactly what a question is about: a diff in colours, everything else as it is.
import { CodeBlock } from "./code-block.tsx";
import { Diff, isDiff } from "./diff.tsx";

export function QuestionDetail({ detail, title }: { detail: string; title: string }) {
  if (isDiff(detail)) return <Diff text={detail} label={title} isWrapped />;
  return <CodeBlock code={detail} isWrapped />;
}
