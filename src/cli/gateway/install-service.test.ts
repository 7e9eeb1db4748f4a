import { describe, expect, it } from "vitest";
import { allocatorSettings } from "../../lib/process/engine-memory.ts";
import { formatUnit } from "./install-service.ts";

describe("the unit of the service", () => {
  it("names everything by its whole path, and starts again after a fall", () => {
    const unit = formatUnit({
      home: "/home/a/.nanobot",
      node: "/opt/node",
      program: "/opt/nb/bin/nanobot.mjs",
    });
    expect(unit).toContain('ExecStart="/opt/node" "/opt/nb/bin/nanobot.mjs" "gateway"\n');
    expect(unit).toContain('Environment="NANOBOT_HOME=/home/a/.nanobot"\n');
    for (const [name, value] of Object.entries(allocatorSettings))
      expect(unit).toContain(`Environment="${name}=${value}"\n`);
    expect(unit).toContain("Restart=on-failure\n");
  });

  it("keeps spaces, quotes, percent signs and Chinese in paths", () => {
    const unit = formatUnit({ home: '/home/我 "x" 100%', node: "/n", program: "/p", workspace: "/w s" });
    expect(unit).toContain('"NANOBOT_HOME=/home/我 \\"x\\" 100%%"');
    expect(unit).toContain('"--workspace" "/w s"');
  });
});
