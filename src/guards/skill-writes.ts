// Writing a skill is writing instructions for later turns: it is asked about, whatever tool does it.
import { join } from "node:path";
import type { FileRoots } from "./file-roots.ts";
import { isInside } from "./path-text.ts";
import type { Judge } from "./with-approval.ts";

export function createSkillWriteJudge(roots: FileRoots): Judge {
  return async (effect, { origin }) => {
    if (effect.type !== "write") return { type: "allow" };
    const path = await roots.resolveWrite(effect.path, origin);
    if (!isInside(path, join(roots.rootFor(origin), "skills"))) return { type: "allow" };
    const shown = roots.display(path, origin);
    const reason = "Skills are instructions for later conversations.";
    return {
      type: "ask",
      request: { title: "Write a skill", detail: shown, reason, subject: `write ${shown}` },
    };
  };
}
