// What the page about usage says.
import { open, speak } from "./speak.ts";

export const { english, chinese } = speak({
  about: [
    "What the models have taken: tokens, money, and what is left of your limits.",
    "模型用去的词元和费用，以及各项限额的余量。",
  ],
  range: ["Time", "时间"],
  ranges: [
    { week: "7 days", month: "30 days", quarter: "90 days", year: "12 months" },
    { week: "7 天", month: "30 天", quarter: "90 天", year: "12 个月" },
  ],
  unit: ["Measure", "单位"],
  units: [
    { tokens: "Tokens", cost: "Cost" },
    { tokens: "词元", cost: "费用" },
  ],
  download: ["Download for a spreadsheet", "下载表格文件"],
  empty: ["Nothing was asked of any model in that time.", "这段时间没有调用过模型。"],
  emptyHint: [
    "Say something to your assistant, or choose a longer time.",
    "和助手说说话，或选择更长的时间。",
  ],
  totals: [
    { tokens: "Tokens", cost: "Cost", calls: "Model calls", cache: "Read from the cache" },
    { tokens: "词元", cost: "费用", calls: "模型调用", cache: "缓存命中" },
  ],
  unpriced: [
    (count: string) => `Calls without a known price: ${count}. Add it to prices.json in nanobot's home.`,
    (count: string) => `有 ${count} 次调用的价格未知，请在 nanobot 主目录的 prices.json 中补充。`,
  ],
  perDay: ["By day", "按天"],
  perDayAbout: [
    (days: number, most: string, day: string) =>
      `A bar for each of ${days} days. The highest is ${most}, on ${day}. The table below has all figures.`,
    (days: number, most: string, day: string) =>
      `${days} 天，每天一根柱。最高为 ${day} 的 ${most}。下方表格列有全部数字。`,
  ],
  series: [
    { fresh: "Read anew", cached: "From the cache", output: "Written", cost: "Cost" },
    { fresh: "新读取", cached: "来自缓存", output: "写出", cost: "费用" },
  ],
  columns: [
    { calls: "Calls", tokens: "Tokens", cache: "Cache", cost: "Cost" },
    { calls: "调用", tokens: "词元", cache: "缓存", cost: "费用" },
  ],
  breakdown: ["Where it went", "用在哪里"],
  by: [
    { cause: "Cause", model: "Model", session: "Conversation", person: "Person", day: "Day" },
    { cause: "用途", model: "模型", session: "对话", person: "人", day: "日期" },
  ],
  causes: open({
    user: ["Your messages", "你的消息"],
    cron: ["Scheduled jobs", "定时任务"],
    heartbeat: ["Heartbeat", "心跳"],
    dream: ["Dream", "整理记忆"],
    subagent: ["Subagents", "子代理"],
    api: ["Other programs", "其他程序"],
    consolidation: ["Summaries", "摘要"],
  }),
  budgets: ["Limits", "限额"],
  budgetsAbout: [
    (turn: string, warn: string) =>
      `One turn may take ${turn}. You are warned at ${warn} of a limit; at 100 % no model is asked any more.`,
    (turn: string, warn: string) =>
      `一轮对话最多可用 ${turn}。用到限额的 ${warn} 时会提醒，用到 100% 后不再调用模型。`,
  ],
  noLimit: ["any amount", "任意数量"],
  periods: [
    { day: "today", month: "this month" },
    { day: "今天", month: "本月" },
  ],
  everything: ["Everything", "全部"],
  used: [
    (used: string, most: string) => `${used} of ${most}`,
    (used: string, most: string) => `${used} / ${most}`,
  ],
  tokens: [(count: string) => `${count} tokens`, (count: string) => `${count} 词元`],
  states: [
    { free: "", near: "Nearly used up", over: "Used up" },
    { free: "", near: "即将用完", over: "已用完" },
  ],
  changeLimits: ["Change the limits", "修改限额"],
});
