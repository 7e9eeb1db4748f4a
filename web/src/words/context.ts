// Texts of the context page.
import { catalogue, lookup } from "./catalogue.ts";

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

export const { english, chinese } = catalogue({
  about: [
    "What the model reads with your next message, and how much of its context window that takes.",
    "你的下一条消息会让模型读到什么，占用上下文窗口多少。",
  ],
  session: ["Conversation", "对话"],
  noSessions: ["No conversation yet.", "还没有对话。"],
  noSessionsHint: [
    "Send your assistant a message to see here what the model reads.",
    "先和助手说句话，就能在这里看到模型读到的内容。",
  ],
  window: ["Context window", "上下文窗口"],
  used: [
    (tokens: string, share: string) => `about ${tokens} tokens, ${share} of the window`,
    (tokens: string, share: string) => `约 ${tokens} 个 token，占窗口的 ${share}`,
  ],
  parts: [
    { request: "Next request", free: "Free", reserved: "Reserved for the answer" },
    { request: "下一次请求", free: "空闲", reserved: "留给回答" },
  ],
  summarised: [
    (budget: string, target: string) =>
      `Above ${budget} tokens, older messages are summarized until about ${target} are left.`,
    (budget: string, target: string) =>
      `超过 ${budget} 个 token 时，较早的消息会被摘要，直到约剩 ${target}。`,
  ],
  corrected: [
    (ratio: string) => `Token counts are estimates, corrected by ${ratio} to match the provider.`,
    (ratio: string) => `token 数为估算，已按服务商的计数修正（×${ratio}）。`,
  ],
  epochSince: ["The beginning last changed", "开头部分上次变化："],
  newEpoch: [
    (reason: string) => `The next message starts with a fresh prompt: ${reason}.`,
    (reason: string) => `发送下一条消息时会重新生成提示词：${reason}。`,
  ],
  request: ["Contents", "包含的内容"],
  requestHint: ["Choose a row to read its text.", "点选一行可阅读其文字。"],
  layers: lookup({
    identity: ["Who it is and where it runs", "它是谁、在哪里运行"],
    bootstrap: ["Character and instructions", "性格与要求"],
    memory: ["What it has learnt about you", "它对你的了解"],
    "active skills": ["Skills it always follows", "始终遵循的技能"],
    skills: ["Skills it could use", "可以使用的技能"],
    history: ["Summaries of earlier days", "前几天的摘要"],
  }),
  madeOf: [(count: number) => plural(count, "part", "parts"), (count: number) => `包含 ${count} 项`],
  tools: [(count: number) => plural(count, "tool", "tools"), (count: number) => `${count} 个工具`],
  history: lookup({
    sent: [
      (count: number) => `${plural(count, "earlier message", "earlier messages")}`,
      (count: number) => `${count} 条之前的消息`,
    ],
    unsent: [
      (count: number) => `${plural(count, "new message", "new messages")}`,
      (count: number) => `${count} 条新消息`,
    ],
  }),
  message: lookup({
    text: ["Your next message", "你的下一条消息"],
    runtime: ["Time, channel and format", "时间、渠道与格式"],
  }),
  isCached: ["unchanged", "未变"],
  isCachedHint: [
    "Same as in the last request: providers with a cache charge less for it.",
    "与上次请求相同：支持缓存的服务商收费更低。",
  ],
  textGone: ["The next request no longer contains this.", "下一次请求已不包含这一部分。"],
  textCut: ["Only the end is shown.", "只显示了末尾。"],
  roles: lookup({
    user: ["You", "你"],
    assistant: ["Assistant", "助手"],
    tool: ["Tool", "工具"],
    system: ["System", "系统"],
  }),
  cache: ["Cache", "缓存"],
  lastTurn: ["Last answer: input", "上次回答：输入"],
  ofWhichCached: ["Last answer: from cache", "上次回答：来自缓存"],
  written: ["Last answer: output", "上次回答：输出"],
  nextRepeats: ["Next request: unchanged", "下一次请求：未变"],
  nextNew: ["Next request: new", "下一次请求：新增"],
  nothingSent: ["Nothing sent in this conversation yet.", "这个对话还没有发送过请求。"],
  since: ["Since the last request", "自上次请求以来"],
  nothingChanged: ["No file or tool changed.", "文件和工具都没有变化。"],
  changes: [
    { added: "new", changed: "changed", removed: "removed" },
    { added: "新增", changed: "已更改", removed: "已移除" },
  ],
  announced: ["Changes the model learns with the next message", "下一条消息会告诉模型的变化"],
  systemDiff: ["Changes in the prompt", "提示词的变化"],
  holds: [
    "The next request repeats all of the last one, so the cache is used.",
    "上次请求全部重复，缓存有效。",
  ],
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
      (_: string, __: number, count: number) => `after ${plural(count, "message", "messages")}`,
      (_: string, __: number, count: number) => `第 ${count} 条消息之后`,
    ],
    nowhere: [() => "at the provider, although nothing changed", () => "服务商一侧（内容未变）"],
  },
  reasons: lookup({
    "first-turn": ["this is the first message", "这是第一条消息"],
    "model-changed": ["the model was changed", "换了模型"],
    idle: ["the pause was long", "停顿过久"],
    "prefix-lost": ["the stored beginning is missing", "保存的开头已丢失"],
    consolidated: ["older messages were summarized", "较早的消息已被摘要"],
    "too-long": ["the window is full", "窗口已满"],
    compressed: ["a long result was left out", "省略了过长的结果"],
  }),
});
