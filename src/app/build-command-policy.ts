// The policy for commands, from the config and from what the assistant keeps to itself.
import { homedir, tmpdir } from "node:os";
import type { LoadedConfig } from "../config/load.ts";
import { type CommandPolicy, createCommandPolicy } from "../guards/command/command-policy.ts";
import type { FileRoots } from "../guards/file-roots.ts";
import type { CommandFacts } from "../guards/incoming-labels.ts";
import type { Sandbox } from "../guards/sandbox.ts";
import type { Clock } from "../lib/clock.ts";

export interface PolicyParts {
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  roots: FileRoots;
  sandbox: Pick<Sandbox, "isContained">;
}

export function buildCommandPolicy({ loaded, env, clock, roots, sandbox }: PolicyParts): CommandPolicy {
  const { exec, ssrfWhitelist } = loaded.config.tools;
  return createCommandPolicy({
    roots,
    isContained: () => sandbox.isContained(),
    allow: exec.allow,
    deny: exec.deny,
    allowPatterns: exec.allowPatterns,
    denyPatterns: exec.denyPatterns,
    home: env.HOME || homedir(),
    scratchFolders: ["/tmp", "/var/tmp", tmpdir()],
    allowedNetworks: ssrfWhitelist,
    clock,
  });
}

export function toCommandFacts(policy: CommandPolicy): CommandFacts {
  return {
    reachesNetwork: async ({ command, workingDirectory, network = false }, { origin }) =>
      network || (await policy.judge(command, { origin, workingDirectory })).needsNetwork,
    isReadOnly: async ({ command, workingDirectory }, { origin }) =>
      (await policy.judge(command, { origin, workingDirectory })).isReadOnly,
  };
}
