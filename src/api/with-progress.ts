// Work that reports by a callback, as the events of an operation.
import type { Phrase } from "../i18n/phrase.ts";
import type { OperationRun } from "./operation.ts";

export async function* withProgress<Result>(
  work: (report: (phrase: Phrase) => void) => Promise<Result>,
): OperationRun<Result> {
  const reported: Phrase[] = [];
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const result = work((phrase) => {
    reported.push(phrase);
    news.resolve();
  });
  const end = () => {
    isOver = true;
    news.resolve();
  };
  result.then(end, end);
  while (!isOver) {
    await news.promise;
    news = Promise.withResolvers();
    for (const phrase of reported.splice(0)) yield { type: "progress", phrase };
  }
  return result;
}
