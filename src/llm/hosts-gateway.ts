// Gateways that route to many vendors by `vendor/model`, or by a bare model name where prefixes are stripped.
// None has a default model: tokens such as HF_TOKEN lie in many environments for other reasons.
import type { Host } from "./host.ts";
import { type HostRow, openaiQuirks, toHost } from "./host-row.ts";

/** These hand a bare name, and what goes with it, to its vendor. */
const byName = { stripsPrefix: true, quirks: openaiQuirks };
const opencode = { ...byName, label: "OpenCode Zen", baseUrl: "https://opencode.ai/zen/v1" };

const rows: HostRow[] = [
  {
    name: "orcarouter",
    label: "OrcaRouter",
    baseUrl: "https://api.orcarouter.ai/v1",
    keyPrefix: "sk-orca-",
  },
  { name: "edenai", label: "Eden AI", baseUrl: "https://api.edenai.run/v3" },
  { ...opencode, name: "opencode" },
  { ...opencode, name: "opencode_zen", keyVariables: ["OPENCODE_ZEN_API_KEY", "OPENCODE_API_KEY"] },
  {
    name: "opencode_go",
    label: "OpenCode Go",
    baseUrl: "https://opencode.ai/zen/go/v1",
    keyVariables: ["OPENCODE_GO_API_KEY", "OPENCODE_API_KEY"],
    ...byName,
  },
  {
    name: "huggingface",
    label: "Hugging Face",
    baseUrl: "https://router.huggingface.co/v1",
    keyVariables: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
    keyPrefix: "hf_",
  },
  { name: "skywork", label: "Skywork", baseUrl: "https://api.apifree.ai/agent/v1" },
  { name: "aihubmix", label: "AiHubMix", baseUrl: "https://aihubmix.com/v1", ...byName },
  { name: "novita", label: "Novita", baseUrl: "https://api.novita.ai/openai" },
  {
    name: "modelscope",
    label: "ModelScope 魔搭",
    baseUrl: "https://api-inference.modelscope.cn/v1",
    keyVariables: ["MODELSCOPE_API_KEY", "MODELSCOPE_SDK_TOKEN"],
  },
];

export const gatewayHosts: Host[] = rows.map((row) => toHost({ kind: "gateway", ...row }));
