// Which modules outside of storage/ may open files themselves, each group with its reason. Everything else of the home is
// read and written through storage/.

export const mayOpenFiles: Record<string, string[]> = {
  "finds out what a path of the workspace really is, before a tool touches it": [
    "src/guards/files/file-error.ts",
    "src/guards/files/path-resolver.ts",
    "src/guards/files/protected-places.ts",
    "src/guards/files/real-path.ts",
    "src/tools/files/walk-folder.ts",
  ],
  "prepares and watches commands: programs, mounts, processes, sandboxes": [
    "src/guards/sandbox/bubblewrap.ts",
    "src/guards/sandbox/child-environment.ts",
    "src/guards/sandbox/container-runtime.ts",
    "src/guards/sandbox/git-files.ts",
    "src/guards/sandbox/git-guard.ts",
    "src/guards/sandbox/host-proxy.ts",
    "src/guards/sandbox/mount-points.ts",
    "src/guards/sandbox/process-tree.ts",
    "src/guards/sandbox/run-records.ts",
    "src/guards/sandbox/sandbox-places.ts",
    "src/guards/sandbox/sandbox.ts",
    "src/guards/sandbox/set-ids.ts",
    "src/mcp/presets.ts",
    "src/mcp/process-transport.ts",
    "src/tools/commands/exec.ts",
  ],
  "reads files that a person names, or what is piped in": [
    "src/api/mcp/survey-servers.ts",
    "src/api/skills/stage-source.ts",
    "src/cli/acp/acp-turn.ts",
    "src/cli/chat/completion.ts",
    "src/cli/commands/mcp.ts",
    "src/cli/commands/check-skill.ts",
    "src/cli/terminal/media-files.ts",
    "src/cli/terminal/piped-text.ts",
    "src/llm/scripted.ts",
    "src/sdk/run.ts",
  ],
  "writes a backup to where a person wants it": ["src/cli/care/backup.ts", "src/cli/care/backup-command.ts"],
  "knows this package or the system, not the home": [
    "src/lib/package-root.ts",
    "src/lib/program-command.ts",
    "src/lib/process/time-zone.ts",
    "src/server/web/web-files.ts",
  ],
  "writes where no home is needed: the log, the output of a gateway in the background, a unit of systemd": [
    "src/cli/gateway/background.ts",
    "src/cli/gateway/install-service.ts",
    "src/lib/log.ts",
  ],
};
