// What of a server's configuration must never be shown: found by names, and by the form of a value.
import { createRedactor, type Redactor } from "../lib/redact.ts";
import type { McpServerConfig } from "./config.ts";

const telling = /key|token|secret|passw|passphrase|pwd|credential|auth|cookie|session|dsn|pat$/i;
/** Long, of letters and digits, and neither a path nor an address: words do not look like this. */
const keyLike = /^(?=.*[a-z])(?=.*\d)[\w+=-]{20,}$|^eyJ[\w-]+\.[\w-]+\.[\w-]*$/i;

export function serverSecrets({ env, headers, args, url, ...config }: McpServerConfig): string[] {
  const { clientSecret = "", clientKey = "" } = config;
  const named: Array<[string, string]> = [
    ...Object.entries(env),
    ...Object.entries(headers),
    ...readFlags(args),
    ...readAddress(url),
    ["clientSecret", clientSecret],
    ["clientKey", clientKey],
  ];
  const secret = named.filter(([name, value]) => value !== "" && (telling.test(name) || keyLike.test(value)));
  // `Bearer x`: x alone is as secret.
  return [...new Set(secret.flatMap(([, value]) => [value, ...value.split(/\s+/).slice(1)]))];
}

/** Takes them out of a text, and others that are given. */
export function redactServers(
  servers: readonly McpServerConfig[],
  others: readonly string[] = [],
): (text: string) => string {
  const redactor = createServerRedactor(servers, others);
  return (text) => redactor.redact(text);
}

/** The same, for one that learns more secrets later. */
export function createServerRedactor(
  servers: readonly McpServerConfig[],
  others: readonly string[] = [],
): Redactor {
  const redactor = createRedactor();
  for (const secret of [...others, ...servers.flatMap(serverSecrets)]) redactor.add(secret);
  return redactor;
}

/** `--api-key x`, `--api-key=x`, and a bare argument that looks like a key. */
function readFlags(args: readonly string[]): Array<[string, string]> {
  return args.map((argument, index) => {
    const [, name = "", value] = /^--?([^=]+)=(.*)$/s.exec(argument) ?? [];
    if (value !== undefined) return [name, value];
    const before = args[index - 1] ?? "";
    return [/^-[^=]*$/.test(before) && !argument.startsWith("-") ? before : "", argument];
  });
}

function readAddress(url: string): Array<[string, string]> {
  const address = URL.parse(url);
  if (address === null) return [];
  return [...address.searchParams, ["password", decodeURIComponent(address.password)]];
}
