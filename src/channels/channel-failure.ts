// What a channel threw, as a sentence for the owner. What a channel does may throw anything.
import { ChannelError } from "../bus/channel.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { phraseOfDisk, phraseOfError } from "../i18n/user-error.ts";

export function phraseOfFailure(error: unknown, redact: (text: string) => string = String): Phrase {
  const said = error instanceof ChannelError ? error.phrase : (phraseOfError(error) ?? phraseOfDisk(error));
  const quote = error instanceof Error ? error.message : String(error);
  return redactParams(said ?? phrase("channels.quoted", { quote }), redact);
}

function redactParams(said: Phrase, redact: (text: string) => string): Phrase {
  const hide = (_: string, value: unknown) => (typeof value === "string" ? redact(value) : value);
  return { code: said.code, params: JSON.parse(JSON.stringify(said.params), hide) } as Phrase;
}
