// What `nanobot doctor` says of the gateway that runs on a home.
import { createHttpClient } from "../../api/client.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say, type Words } from "../../i18n/words.ts";
import { findGateway } from "../../server/gateway-file.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { Finding } from "./doctor-command.ts";

export async function judgeGateway(paths: HomePaths, words: Words): Promise<Finding[]> {
  const { care, gateway } = words;
  const subject = "gateway";
  const address = await findGateway(paths.run);
  if (address === undefined)
    return [{ subject, state: "warning", sentence: say(phrase("gateway.not-running"), words) }];
  const { channels, problems, waiting } = await createHttpClient(address).call("gateway.status", {});
  const own: Finding = { subject, state: "ok", sentence: address.url };
  const told = problems.map(
    (problem): Finding => ({ subject, state: "bad", sentence: say(problem.phrase, words) }),
  );
  const each = channels.map(({ name, state, error }): Finding => {
    const sentence =
      error === undefined ? gateway.state[state] : `${gateway.state[state]}: ${say(error, words)}`;
    const isBad = state === "failed" || state === "retrying";
    return { subject, state: isBad ? "bad" : "ok", sentence: `${name}: ${sentence}` };
  });
  const stuck: Finding[] =
    waiting > 0 ? [{ subject, state: "warning", sentence: care.waiting(waiting) }] : [];
  return [own, ...told, ...each, ...stuck];
}
