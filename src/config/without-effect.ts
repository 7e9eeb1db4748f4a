// Keys of the Python original that are checked and kept, and do nothing here: docs/moving-in.md says why. A star is
// every key below.

export const withoutEffect: readonly string[] = [
  "agents.defaults.contextBlockLimit",
  "agents.defaults.failOnToolError",
  "agents.defaults.botName",
  "agents.defaults.botIcon",
  "agents.defaults.unifiedSession",
  "agents.defaults.idleCompactCheckIntervalSeconds",
  "providers.<name>.region",
  "providers.<name>.profile",
  "tools.maxSessionMessagesPerMinute",
  "tools.webuiAllowLocalServiceAccess",
  "tools.webuiAllowRemotePackageInstall",
  "tools.web.fetch.*",
  "tools.my.*",
  "tools.cliApps.*",
  "tools.imageGeneration.saveDir",
  "channels.showReasoning",
  "api.host",
  "api.port",
];

/** `path` with `<name>` for names that the user chose. */
export function hasEffect(path: string): boolean {
  return !withoutEffect.some((row) =>
    row.endsWith(".*") ? `${path}.`.startsWith(row.slice(0, -1)) : path === row,
  );
}
