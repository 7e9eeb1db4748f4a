// The system's time zone by its IANA name. Intl knows it too, but its first use costs a tenth of a start.
import { readlinkSync } from "node:fs";

export function readSystemTimeZone(env: NodeJS.ProcessEnv = process.env): string {
  return readNamedZone(env) ?? readLinkedZone() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** TZ also takes rules such as `CET-1CEST`, which are no names. */
function readNamedZone({ TZ = "" }: NodeJS.ProcessEnv): string | undefined {
  const name = TZ.replace(/^:/, "");
  return name === "UTC" || /^[A-Z][A-Za-z_]+(\/[A-Z][A-Za-z_+-]+)+$/.test(name) ? name : undefined;
}

function readLinkedZone(): string | undefined {
  try {
    const zone = /zoneinfo\/(?:posix\/|right\/)?(.+)$/.exec(readlinkSync("/etc/localtime"))?.[1];
    return zone === "Etc/UTC" ? "UTC" : zone;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    // Without that file the C library lives in UTC.
    return code === "ENOENT" && process.platform === "linux" && process.env.TZ === undefined
      ? "UTC"
      : undefined;
  }
}
