// Servers on this machine or of the user's own, and the two models that need no server at all.
import type { Host } from "./host.ts";
import { type HostRow, openaiQuirks, toHost } from "./host-row.ts";

const rows: HostRow[] = [
  {
    name: "ollama",
    label: "Ollama",
    baseUrl: "http://localhost:11434/v1",
    keyVariables: ["OLLAMA_API_KEY"],
    keywords: ["ollama", "nemotron"],
    quirks: { emptyContent: "empty-string" },
  },
  {
    name: "lm_studio",
    label: "LM Studio",
    baseUrl: "http://localhost:1234/v1",
    keywords: ["lmstudio", "lm-studio"],
    quirks: { emptyContent: "empty-string" },
  },
  { name: "vllm", label: "vLLM", keyVariables: ["VLLM_API_KEY"] },
  { name: "atomic_chat", label: "Atomic Chat", baseUrl: "http://localhost:1337/v1" },
  {
    name: "ovms",
    label: "OpenVINO Model Server",
    baseUrl: "http://localhost:8000/v3",
    keywords: ["ovms", "openvino"],
  },
  { name: "custom", label: "Custom (OpenAI-compatible)", kind: "direct", quirks: openaiQuirks },
  { name: "offline", label: "Offline", protocol: "offline", kind: "direct", defaultModel: "offline" },
  { name: "scripted", label: "Scripted", protocol: "scripted", kind: "direct" },
];

export const localHosts: Host[] = rows.map((row) => toHost({ kind: "local", ...row }));
