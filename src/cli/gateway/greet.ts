// What a gateway in the foreground says when it is ready: where it is, the way in, its model and channels.
import type { Gateway } from "../../app/build-gateway.ts";
import { say } from "../../i18n/words.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { toScreen } from "../draw/text-width.ts";
import type { Terminal } from "../terminal.ts";
import { describeEntrance } from "./entrance.ts";

export async function greet(
  { app, address, problems, client }: Gateway,
  { words, stderr, sideStyle }: Terminal,
): Promise<void> {
  const { gateway } = words;
  const write = (text: string) => void stderr.write(`${toScreen(text, stderr)}\n`);
  const { model } = app;
  const told = problems.map(({ phrase }) => say(phrase, words));
  for (const sentence of [...app.warnings, ...told]) write(sideStyle.warning(neutralise(sentence)));
  write(sideStyle.bold(gateway.listening(address.url)));
  const entrance = { words, style: sideStyle, isSeen: stderr.isTTY === true };
  write(await describeEntrance(client, entrance));
  write(neutralise(gateway.model(model.settings.model, model.host, say(model.why, words))));
  const { channels } = await client.call("gateway.status", {});
  const names = channels.map(({ name }) => name).join(", ");
  write(names === "" ? gateway.noChannels : gateway.channels(names));
  write(sideStyle.quiet(gateway.stopHint));
}
