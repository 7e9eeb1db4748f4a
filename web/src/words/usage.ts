// Texts of the usage page.
import { catalogue, lookup } from "./catalogue.ts";

export const { english, chinese } = catalogue({
  about: [
    "What your models used: tokens, cost, and what is left of your limits.",
    "模型用掉的 token 和费用，以及各项限额的余量。",
  ],
  range: ["Time", "时间"],
  ranges: [
    { week: "7 days", month: "30 days", quarter: "90 days", year: "12 months" },
    { week: "7 天", month: "30 天", quarter: "90 天", year: "12 个月" },
  ],
  unit: ["Unit", "单位"],
  units: [
    { tokens: "Tokens", cost: "Cost" },
    { tokens: "token", cost: "费用" },
  ],
  download: ["Download as spreadsheet", "下载表格文件"],
  empty: ["No model was used in this period.", "这段时间没有用过模型。"],
  emptyHint: [
    "Send your assistant a message, or choose a longer period.",
    "和助手说说话，或选择更长的时间。",
  ],
  totals: [
    { tokens: "Tokens", cost: "Cost", calls: "Requests", cache: "From cache" },
    { tokens: "token", cost: "费用", calls: "请求", cache: "缓存命中" },
  ],
  unpriced: [
    (count: string) =>
      `The price of ${count} requests is unknown. Add it to prices.json in the nanobot folder.`,
    (count: string) => `有 ${count} 次请求的价格未知，可在 nanobot 文件夹的 prices.json 中补充。`,
  ],
  perDay: ["By day", "按天"],
  perDayAbout: [
    (days: number, most: string, day: string) =>
      `One bar for each of ${days} days. The highest is ${most}, on ${day}. The table below has all numbers.`,
    (days: number, most: string, day: string) =>
      `${days} 天，每天一根柱。最高为 ${day} 的 ${most}。下方表格列有全部数字。`,
  ],
  series: [
    { fresh: "New input", cached: "From cache", output: "Output", cost: "Cost" },
    { fresh: "新输入", cached: "来自缓存", output: "输出", cost: "费用" },
  ],
  columns: [
    { calls: "Requests", tokens: "Tokens", cache: "Cache", cost: "Cost" },
    { calls: "请求", tokens: "token", cache: "缓存", cost: "费用" },
  ],
  breakdown: ["Where it went", "用在哪里"],
  by: [
    { cause: "Cause", model: "Model", session: "Conversation", person: "Person", day: "Day" },
    { cause: "用途", model: "模型", session: "对话", person: "人", day: "日期" },
  ],
  causes: lookup({
    user: ["Your messages", "你的消息"],
    cron: ["Scheduled tasks", "定时任务"],
    heartbeat: ["Regular check", "定期检查"],
    dream: ["Dream", "整理记忆"],
    subagent: ["Helpers", "子助手"],
    api: ["Other programs", "其他程序"],
    consolidation: ["Summaries", "摘要"],
    title: ["Titles", "标题"],
    recall: ["Search by meaning", "按意思查找"],
    image: ["Images", "图片"],
  }),
  budgets: ["Limits", "限额"],
  budgetsAbout: [
    (turn: string, warn: string) =>
      `One answer may use ${turn}. You are warned at ${warn} of a limit; at 100% no model is used any more.`,
    (turn: string, warn: string) =>
      `一次回答最多可用 ${turn}。用到限额的 ${warn} 时会提醒，用到 100% 后不再使用模型。`,
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
  tokens: [(count: string) => `${count} tokens`, (count: string) => `${count} 个 token`],
  states: [
    { free: "", near: "Almost used up", over: "Used up" },
    { free: "", near: "即将用完", over: "已用完" },
  ],
  changeLimits: ["Change limits", "修改限额"],
});
