// Tokens: what "hi" sends from a new workspace, by part, counted with a real tokenizer and compared with our estimate.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countTokens } from "gpt-tokenizer";
import { buildApp } from "../src/app/build-app.ts";
import { createWords } from "../src/i18n/words.ts";
import { estimateTokens } from "../src/lib/tokens.ts";
import { createScripted } from "../src/llm/scripted.ts";
import { resolveHome } from "../src/storage/home.ts";
import { printFigure } from "./report.ts";

export async function bench(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), "nanobot-bench-"));
  try {
    const provider = createScripted(["Hello."]);
    const env = { HOME: home, NANOBOT_HOME: home };
    const built = await buildApp({
      paths: resolveHome({ env }),
      env,
      words: createWords("english"),
      provider,
    });
    if (!built.ok) throw new Error(built.problems.join("\n"));
    await built.app.loop.processDirect({ sessionKey: "cli:direct", text: "hi" });
    await built.app.close();
    const [request] = provider.requests;
    if (request === undefined) throw new Error("nothing was sent");
    const [system, user] = request.messages;
    print("system", String(system?.content));
    print("tools", JSON.stringify(request.tools));
    print("message", String(user?.content));
    print("all", `${system?.content}${JSON.stringify(request.tools)}${user?.content}`);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function print(name: string, text: string): void {
  const exact = countTokens(text);
  printFigure({ name: `${name}-tokens`, value: exact, unit: "tokens" });
  printFigure({ name: `${name}-estimate`, value: estimateTokens(text), unit: "tokens", baseline: exact });
}
