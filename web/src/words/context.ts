// What the page about the context says.
import { open, speak } from "./speak.ts";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const { english, chinese } = speak({
  about: [
    "What the next request of a conversation would send to the model, and what it costs of its window.",
    "对话的下一次请求会发给模型什么，占用窗口多少。",
  ],
  session: ["Conversation", "对话"],
  noSessions: ["There is no conversation yet.", "还没有对话。"],
  noSessionsHint: [
    "Say something to your assistant; then you can see here what the model is given to read.",
    "先和助手说句话，就能在这里看到模型读到的内容。",
  ],
  window: ["Window", "窗口"],
  used: [
    (tokens: string, share: string) => `${tokens} tokens, ${share} of the window`,
    (tokens: string, share: string) => `${tokens} 词元，占窗口的 ${share}`,
  ],
  parts: [
    { request: "Next request", free: "Free", reserved: "Kept for the answer" },
    { request: "下一次请求", free: "空闲", reserved: "留给回答" },
  ],
  summarised: [
    (budget: string, target: string) =>
      `Beyond ${budget} tokens older messages are summarised, until about ${target} are left.`,
    (budget: string, target: string) => `超过 ${budget} 词元时，较早的消息会被摘要，直到约剩 ${target}。`,
  ],
  corrected: [
    (ratio: string) => `Tokens are estimated, times ${ratio} by what the host counted last time.`,
    (ratio: string) => `词元数为估算，已按服务商上次的计数乘以 ${ratio}。`,
  ],
  epochSince: ["The beginning of the request is frozen since", "请求的开头自此时起固定不变："],
  newEpoch: [
    (reason: string) => `With the next message the prompt is built anew: ${reason}.`,
    (reason: string) => `发送下一条消息时会重新生成提示：${reason}。`,
  ],
  request: ["What is in it", "包含的内容"],
  requestHint: ["Choose a row to read its text.", "点选一行可阅读其文字。"],
  layers: open({
    identity: ["Identity", "身份"],
    bootstrap: ["Your files", "你的文件"],
    memory: ["Memory", "记忆"],
    "active skills": ["Active skills", "启用的技能"],
    skills: ["List of skills", "技能列表"],
    history: ["Recent summaries", "近期摘要"],
  }),
  madeOf: [(count: number) => `made of ${count}`, (count: number) => `包含 ${count} 项`],
  tools: [(count: number) => plural(count, "tool", "tools"), (count: number) => `${count} 个工具`],
  history: open({
    sent: [
      (count: number) => `${plural(count, "message", "messages")}, sent before`,
      (count: number) => `${count} 条已发送过的消息`,
    ],
    unsent: [
      (count: number) => `${plural(count, "message", "messages")}, not sent yet`,
      (count: number) => `${count} 条未发送的消息`,
    ],
  }),
  message: open({
    text: ["Your next message", "你的下一条消息"],
    runtime: ["Time, channel and format", "时间、渠道与格式"],
  }),
  isCached: ["repeated", "重复"],
  isCachedHint: [
    "Repeats the last request byte for byte: a host that caches reads it for less.",
    "与上次请求逐字节相同：支持缓存的服务商读取它更便宜。",
  ],
  textGone: ["The next request no longer holds this.", "下一次请求已不包含这一部分。"],
  textCut: ["Only the end is shown.", "只显示了末尾。"],
  roles: open({
    user: ["You", "你"],
    assistant: ["Assistant", "助手"],
    tool: ["Tool", "工具"],
    system: ["System", "系统"],
  }),
  cache: ["Cache", "缓存"],
  lastTurn: ["Last turn: read", "上一轮：读取"],
  ofWhichCached: ["Last turn: from the cache", "上一轮：来自缓存"],
  written: ["Last turn: written", "上一轮：写出"],
  nextRepeats: ["Next request: repeated", "下一次请求：重复"],
  nextNew: ["Next request: new", "下一次请求：新增"],
  nothingSent: ["Nothing was sent in this conversation yet.", "这个对话还没有发送过请求。"],
  since: ["Since the last request", "自上次请求以来"],
  nothingChanged: ["No file and no tool has changed.", "文件和工具都没有变化。"],
  changes: [
    { added: "new", changed: "changed", removed: "gone" },
    { added: "新增", changed: "已更改", removed: "已移除" },
  ],
  told: ["What the model is told of it with the next message", "下一条消息会告诉模型的变化"],
  systemDiff: ["What is different in the prompt", "提示中的差异"],
  holds: ["All of the last request is repeated, so the cache holds.", "上次请求全部重复，缓存有效。"],
  breaks: [
    (where: string, why: string) => `The cache ends ${where}, because ${why}.`,
    (where: string, why: string) => `缓存在${where}处中断，因为${why}。`,
  ],
  places: {
    start: [() => "at the beginning", () => "开头"],
    tools: [() => "at the list of tools", () => "工具列表"],
    system: [
      (layer: string, line: number) => `in "${layer}", line ${line}`,
      (layer: string, line: number) => `“${layer}”第 ${line} 行`,
    ],
    history: [
      (_: string, __: number, count: number) => `behind ${plural(count, "message", "messages")}`,
      (_: string, __: number, count: number) => `第 ${count} 条消息之后`,
    ],
    nowhere: [
      () => "nowhere in the text, but the host has forgotten it",
      () => "服务商一侧（内容未变，但已被遗忘）",
    ],
  },
  reasons: open({
    "first-turn": ["this is the first message", "这是第一条消息"],
    "model-changed": ["another model answers", "换了模型"],
    idle: ["the pause was long", "停顿过久"],
    "prefix-lost": ["what was frozen is gone", "固定的内容已丢失"],
    consolidated: ["older messages were summarised", "较早的消息已被摘要"],
    "too-long": ["the window is full", "窗口已满"],
    compressed: ["a long result was left out", "省略了过长的结果"],
  }),
});
