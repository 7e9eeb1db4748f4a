// The table of model hosts, in order of preference, and look-up by name in any spelling.
// A new compatible host is a row here or in the files of vendors; see docs/adding-a-provider.md.
import { simplifyProviderName } from "./config.ts";
import type { Host } from "./host.ts";
import { type HostRow, openaiQuirks, toHost, toRow } from "./host-row.ts";
import { chineseHosts } from "./hosts-china.ts";
import { worldHosts } from "./hosts-world.ts";

/** These hand a bare name, and what goes with it, to its vendor. */
const byName = { stripsPrefix: true, quirks: openaiQuirks };

/**
 * Routed to many vendors by `vendor/model`, or by a bare model name where prefixes are stripped. None has a default
 * model: tokens such as HF_TOKEN lie in many environments for other reasons.
 */
const gateways: HostRow[] = [
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

/** Servers on this machine or of the user's own, and the two models that need no server at all. */
const servers: HostRow[] = [
  toRow("ollama", "Ollama", "http://localhost:11434/v1", {
    keyVariables: ["OLLAMA_API_KEY"],
    keywords: ["ollama", "nemotron"],
    quirks: { emptyContent: "empty-string" },
  }),
  toRow("lm_studio", "LM Studio", "http://localhost:1234/v1", {
    keywords: ["lmstudio", "lm-studio"],
    quirks: { emptyContent: "empty-string" },
  }),
  { name: "vllm", label: "vLLM", keyVariables: ["VLLM_API_KEY"] },
  toRow("atomic_chat", "Atomic Chat", "http://localhost:1337/v1"),
  toRow("ovms", "OpenVINO Model Server", "http://localhost:8000/v3", { keywords: ["ovms", "openvino"] }),
  { name: "custom", label: "Custom (OpenAI-compatible)", kind: "direct", quirks: openaiQuirks },
  { name: "offline", label: "nanobot itself", protocol: "offline", kind: "direct", defaultModel: "offline" },
  { name: "scripted", label: "Scripted", protocol: "scripted", kind: "direct" },
];

/** Earlier rows win: for a key found in the environment, for a keyword, among several gateways. */
export const knownHosts: readonly Host[] = [
  ...worldHosts,
  ...chineseHosts,
  ...gateways.map((row) => toHost({ kind: "gateway", ...row })),
  ...servers.map((row) => toHost({ kind: "local", ...row })),
];

const bySimpleName = new Map(knownHosts.map((host) => [simplifyProviderName(host.name), host]));

/** Accepts `minimax_anthropic`, `minimaxAnthropic` and `minimax-anthropic`. */
export function findHost(name: string): Host | undefined {
  return bySimpleName.get(simplifyProviderName(name));
}

/** The host whose keys begin like this one, for a key that was pasted without saying whose it is. */
export function findHostByKey(apiKey: string): Host | undefined {
  return knownHosts.find(({ keyPrefix }) => keyPrefix !== undefined && apiKey.startsWith(keyPrefix));
}

/** A name of the user's own with an `apiBase`: any server that speaks OpenAI chat completions. */
export function createCustomHost(name: string): Host {
  return toHost({ name, label: name, kind: "direct", quirks: openaiQuirks });
}
