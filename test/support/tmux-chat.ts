// The chat in tmux, with a model of the test behind it.
import { type FakeModel, type FakeModelReply, startFakeModel } from "./fake-model.ts";
import { configFor, createProgramHome, nanobot, type ProgramHome } from "./run-program.ts";
import { openInTmux, type TmuxOptions, type TmuxProgram } from "./tmux.ts";

export interface TmuxChat extends TmuxProgram {
  model: FakeModel;
  home: ProgramHome;
  say(text: string): Promise<void>;
}

export interface TmuxChatOptions extends Partial<TmuxOptions> {
  given?: ProgramHome;
  /** The model's list of models. */
  models?: object[];
  argv?: string[];
}

export async function openTmuxChat(
  replies: FakeModelReply[] | ((index: number) => FakeModelReply),
  { given, models, argv = [], env = {}, ...options }: TmuxChatOptions = {},
): Promise<TmuxChat> {
  const at = (index: number) =>
    typeof replies === "function" ? replies(index) : (replies[index] ?? { text: "ok" });
  const model = await startFakeModel((_, index) => at(index), models);
  const home = given ?? (await createProgramHome(configFor(model.url), env));
  const program = await openInTmux(nanobot("agent", ...argv), { ...options, env: { ...home.env, ...env } });
  await program.waitFor(isReady);
  return {
    ...program,
    model,
    home,
    async say(text) {
      await program.type(text);
      await program.press("Enter");
    },
  };
}

/** The editor is there, and the status below it. */
function isReady(shown: string): boolean {
  return shown.includes("───") && shown.includes("test-model");
}

export function lastUserText(model: FakeModel, request: number): string {
  const users = model.requests[request]?.messages.filter(({ role }) => role === "user") ?? [];
  return JSON.stringify(users.at(-1)?.content);
}
