// Gateways that route to many vendors by `vendor/model`, or by a bare model name where prefixes are stripped.
import type { Host } from "./host.ts";
import { type HostRow, toHost } from "./host-row.ts";

const rows: HostRow[] = [
  {
    name: "orcarouter",
    label: "OrcaRouter",
    baseUrl: "https://api.orcarouter.ai/v1",
    keyVariables: ["ORCAROUTER_API_KEY"],
    keyPrefix: "sk-orca-",
  },
  {
    name: "edenai",
    label: "Eden AI",
    baseUrl: "https://api.edenai.run/v3",
    keyVariables: ["EDENAI_API_KEY"],
  },
  {
    name: "opencode",
    label: "OpenCode Zen",
    baseUrl: "https://opencode.ai/zen/v1",
    keyVariables: ["OPENCODE_API_KEY"],
    stripsPrefix: true,
  },
  {
    name: "opencode_zen",
    label: "OpenCode Zen",
    baseUrl: "https://opencode.ai/zen/v1",
    keyVariables: ["OPENCODE_ZEN_API_KEY", "OPENCODE_API_KEY"],
    stripsPrefix: true,
  },
  {
    name: "opencode_go",
    label: "OpenCode Go",
    baseUrl: "https://opencode.ai/zen/go/v1",
    keyVariables: ["OPENCODE_GO_API_KEY", "OPENCODE_API_KEY"],
    stripsPrefix: true,
  },
  {
    name: "huggingface",
    label: "Hugging Face",
    baseUrl: "https://router.huggingface.co/v1",
    keyVariables: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
    keyPrefix: "hf_",
  },
  {
    name: "skywork",
    label: "Skywork",
    baseUrl: "https://api.apifree.ai/agent/v1",
    keyVariables: ["SKYWORK_API_KEY"],
  },
  {
    name: "aihubmix",
    label: "AiHubMix",
    baseUrl: "https://aihubmix.com/v1",
    keyVariables: ["AIHUBMIX_API_KEY"],
    stripsPrefix: true,
  },
  {
    name: "novita",
    label: "Novita",
    baseUrl: "https://api.novita.ai/openai",
    keyVariables: ["NOVITA_API_KEY"],
  },
  {
    name: "modelscope",
    label: "ModelScope 魔搭",
    baseUrl: "https://api-inference.modelscope.cn/v1",
    keyVariables: ["MODELSCOPE_API_KEY", "MODELSCOPE_SDK_TOKEN"],
  },
];

/** None has a default model: tokens such as HF_TOKEN lie in many environments for other reasons. */
export const gatewayHosts: Host[] = rows.map((row) =>
  toHost({ kind: "gateway", keywords: [row.name], ...row }),
);
