// Writing a skill is writing instructions for later turns: it is asked about, whatever tool does it.
import { join } from "node:path";
import { englishGuards } from "../i18n/en/guards.ts";
import type { FileRoots } from "./file-roots.ts";
import { isInside } from "./path-text.ts";
import type { Judge } from "./with-approval.ts";
import { describeWrite } from "./write-detail.ts";

export function createSkillWriteJudge(roots: FileRoots): Judge {
  return async (effect, { origin }) => {
    if (effect.type !== "write") return { type: "allow" };
    const path = await roots.resolveWrite(effect.path, origin);
    if (!isInside(path, join(roots.rootFor(origin), "skills"))) return { type: "allow" };
    const { skillTitle: title, skillReason: reason } = englishGuards;
    const detail = await describeWrite(effect, roots, origin);
    const subject = `write ${roots.display(path, origin)}`;
    return { type: "ask", request: { title, detail, reason, risk: "instructions", subject } };
  };
}
