// How the commands that look after a home are typed: doctor, backup, restore.
import type { Command } from "commander";
import type { Words } from "../../i18n/words.ts";
import type { GlobalOptions } from "../command-line.ts";

export interface DoctorOptions extends GlobalOptions {
  json?: boolean;
}

export interface BackupOptions extends GlobalOptions {
  /** Where to; default: a dated name in the folder where it was typed. */
  file?: string;
  json?: boolean;
}

export interface RestoreOptions extends GlobalOptions {
  file: string;
  yes?: boolean;
}

export type CareInvocation =
  | { command: "doctor"; options: DoctorOptions }
  | { command: "backup"; options: BackupOptions }
  | { command: "restore"; options: RestoreOptions };

export function addCareCommands(
  program: Command,
  { care, usage }: Words,
  found: (invocation: CareInvocation) => void,
): void {
  const doctor = program
    .command("doctor")
    .description(care.usage.doctor)
    .option("--json", usage.json)
    .action(() => found({ command: "doctor", options: doctor.optsWithGlobals() }));
  const backup = program
    .command("backup")
    .description(care.usage.backup)
    .argument("[file]", care.usage.backupFile)
    .option("--json", usage.json)
    .action((file: string | undefined) =>
      found({ command: "backup", options: { ...backup.optsWithGlobals(), file } }),
    );
  const restore = program
    .command("restore")
    .description(care.usage.restore)
    .argument("<file>", care.usage.restoreFile)
    .option("-y, --yes", care.usage.yes)
    .action((file: string) => found({ command: "restore", options: { ...restore.optsWithGlobals(), file } }));
}
