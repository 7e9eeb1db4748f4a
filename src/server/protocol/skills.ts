// Skills on the wire: what there is and why it can or cannot be used, adding in two steps, and deciding about one.
import type { SkillFinding, SkillReason, SkillSource } from "../../skills/skill.ts";

/** Of sentences that the gateway has words for. */
export type SpokenLanguage = "english" | "chinese";

export interface SkillCard {
  name: string;
  description: string;
  state: "ready" | "always" | "off" | "blocked" | "unusable";
  /** Why it cannot be used. */
  reasons: Array<{ kind: SkillReason["kind"]; text: string }>;
  source: SkillSource;
  /** Of what it teaches, when it is used. */
  tokens: number;
  findings: number;
  /** Looked at and allowed although something was found in it. */
  isAllowed: boolean;
  isRemovable: boolean;
  /** Of its content: what is allowed is exactly this. */
  hash: string;
}

export interface ShownFinding extends SkillFinding {
  /** What is suspicious about it. */
  about: string;
}

export interface ShownSkill extends SkillCard {
  path: string;
  body: string;
  shownFindings: ShownFinding[];
  notes: string[];
  files: string[];
}

/** A skill that would be copied, and nothing of it is yet. */
export interface StagedSkill {
  stage: string;
  name: string;
  description: string;
  body: string;
  tokens: number;
  files: Array<{ path: string; size: number }>;
  shownFindings: ShownFinding[];
  notes: string[];
  /** Lines that say what would change of a skill that is there. */
  changes: string[];
  isReplacing: boolean;
}

/** A folder, zip file or Git address as the gateway's machine sees it, or a SKILL.md. */
export type SkillOffer = { source: string; name?: string } | { text: string };

/** Something else that the model can use: own tools, MCP servers. */
export interface ExtensionCard {
  kind: "tools" | "mcp";
  name: string;
  state: "used" | "off" | "waiting" | "broken";
  /** What it brings, or why it is not used. */
  detail: string;
}

export interface SkillsMethods {
  "skills.list": { params: { language: SpokenLanguage }; result: { skills: SkillCard[] } };
  "skills.show": { params: { name: string; language: SpokenLanguage }; result: ShownSkill };
  "skills.extensions": { params: { language: SpokenLanguage }; result: { extensions: ExtensionCard[] } };
  /** Fetches it and looks into it; nothing of it is run. Several skills: their names, to ask again with one. */
  "skills.stage": {
    params: { offer: SkillOffer; language: SpokenLanguage };
    result: { staged?: StagedSkill; choices?: string[] };
  };
  /** What was found in it has to be accepted. */
  "skills.add": {
    params: { stage: string; isAccepted: boolean; language: SpokenLanguage };
    result: { name: string };
  };
  "skills.discard": { params: { stage: string }; result: object };
  /** Not done when the skill is no longer what was looked at. */
  "skills.allow": { params: { name: string; hash: string }; result: object };
  "skills.switch": { params: { name: string; isOn: boolean }; result: object };
  "skills.remove": { params: { name: string; hash: string }; result: object };
}
