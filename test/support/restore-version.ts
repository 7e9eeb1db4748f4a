// A process of its own that undoes the newest change of Dream, and may be killed while it does:
// node restore-version.ts <folder with versions and workspace>. Prints how it ended.
import { join } from "node:path";
import { UserError } from "../../src/i18n/user-error.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { Versions } from "../../src/storage/documents/versions.ts";

const [folder = ""] = process.argv.slice(2);
const places = { gitFolder: join(folder, "versions"), workTree: join(folder, "workspace") };
const versions = new Versions({ ...places, clock: systemClock });
const [newest] = await versions.log({ most: 1, kind: "dream" });
const outcome = await versions.restore(newest?.id ?? "").catch((error: unknown) => {
  if (error instanceof UserError) return { kind: error.phrase.code };
  throw error;
});
process.stdout.write(outcome.kind);
