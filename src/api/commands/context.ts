// `/context`: what the next message in this chat would send.
import { describeContext } from "../context/describe-context.ts";
import type { SlashCommand } from "./command.ts";

export const contextCommand: SlashCommand = {
  name: "context",
  when: "now",
  run: async ({ client, words, sessionKey }) =>
    describeContext(await client.call("context.inspect", { sessionKey }), words),
};
