// Gateways that route to many vendors by `vendor/model`, or by a bare model name where prefixes are stripped.
// None has a default model: tokens such as HF_TOKEN lie in many environments for other reasons.
import type { Host } from "./host.ts";
import { type HostRow, openaiQuirks, toHost, toRow } from "./host-row.ts";

/** These hand a bare name, and what goes with it, to its vendor. */
const byName = { stripsPrefix: true, quirks: openaiQuirks };

const rows: HostRow[] = [
  toRow("orcarouter", "OrcaRouter", "https://api.orcarouter.ai/v1", { keyPrefix: "sk-orca-" }),
  toRow("edenai", "Eden AI", "https://api.edenai.run/v3"),
  toRow("opencode", "OpenCode Zen", "https://opencode.ai/zen/v1", byName),
  toRow("opencode_zen", "OpenCode Zen", "https://opencode.ai/zen/v1", {
    ...byName,
    keyVariables: ["OPENCODE_ZEN_API_KEY", "OPENCODE_API_KEY"],
  }),
  toRow("opencode_go", "OpenCode Go", "https://opencode.ai/zen/go/v1", {
    ...byName,
    keyVariables: ["OPENCODE_GO_API_KEY", "OPENCODE_API_KEY"],
  }),
  toRow("huggingface", "Hugging Face", "https://router.huggingface.co/v1", {
    keyVariables: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
    keyPrefix: "hf_",
  }),
  toRow("skywork", "Skywork", "https://api.apifree.ai/agent/v1"),
  toRow("aihubmix", "AiHubMix", "https://aihubmix.com/v1", byName),
  toRow("novita", "Novita", "https://api.novita.ai/openai"),
  toRow("modelscope", "ModelScope 魔搭", "https://api-inference.modelscope.cn/v1", {
    keyVariables: ["MODELSCOPE_API_KEY", "MODELSCOPE_SDK_TOKEN"],
  }),
];

export const gatewayHosts: Host[] = rows.map((row) => toHost({ kind: "gateway", ...row }));
