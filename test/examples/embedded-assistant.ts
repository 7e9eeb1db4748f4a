// The whole assistant inside another program, with its prompt extended.
import { buildApp, type ContextExtensions, createWords, resolveHome, say } from "../../src/index.ts";

export async function askOnce(
  text: string,
  env: NodeJS.ProcessEnv,
  context: ContextExtensions,
): Promise<string> {
  const paths = resolveHome({ env });
  const words = createWords("english");
  const built = await buildApp({ paths, env, words, context });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const { app } = built;
  try {
    const outcome = await app.loop.processDirect({ sessionKey: "embedded:demo", text });
    return outcome.error === undefined ? outcome.text : say(outcome.error.phrase, words);
  } finally {
    await app.close();
  }
}
