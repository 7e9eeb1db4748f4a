// Servers on this machine or of the user's own, and the two models that need no server at all.
import type { Host } from "./host.ts";
import { type HostRow, openaiQuirks, toHost, toRow } from "./host-row.ts";

const rows: HostRow[] = [
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
  { name: "offline", label: "Offline", protocol: "offline", kind: "direct", defaultModel: "offline" },
  { name: "scripted", label: "Scripted", protocol: "scripted", kind: "direct" },
];

export const localHosts: Host[] = rows.map((row) => toHost({ kind: "local", ...row }));
