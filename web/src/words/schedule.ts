// What the page about the schedule says. Times and durations are put into words here as well.
import { open, speak } from "./speak.ts";

const plural = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);

export const { english, chinese } = speak({
  about: [
    "What your assistant does by itself: reminders, regular tasks, and a look at its list now and then.",
    "助手自己会做的事：提醒、定期任务，以及时不时看一眼它的清单。",
  ],
  add: ["New job", "新建任务"],
  empty: ["Nothing is planned yet.", "还没有安排任何任务。"],
  emptyHint: [
    "Plan something here, or just ask in a chat: “Remind me every weekday at nine to stretch.”",
    "在这里安排，或者直接在对话里说：“每个工作日九点提醒我活动一下。”",
  ],
  jobs: ["Jobs", "任务"],
  own: ["Of the program itself", "程序自己的任务"],
  ownNames: open({
    dream: ["Dream: goes over what was said and tidies memory", "整理：回顾说过的话，更新记忆"],
    heartbeat: ["Heartbeat", "心跳"],
  }),
  states: [
    { planned: "Planned", paused: "Paused", over: "Over" },
    { planned: "已安排", paused: "已暂停", over: "已结束" },
  ],
  next: ["Next", "下次"],
  last: ["Last", "上次"],
  answersIn: [(chat: string) => `Answers in: ${chat}`, (chat: string) => `回复到：${chat}`],
  here: ["a conversation of its own here", "这里的专属对话"],
  terminal: ["the terminal", "终端"],
  run: ["Run now", "立即运行"],
  pause: ["Pause", "暂停"],
  resume: ["Resume", "恢复"],
  edit: ["Edit", "编辑"],
  remove: ["Remove", "删除"],
  more: ["More", "更多"],
  started: [(name: string) => `${name} runs now.`, (name: string) => `${name} 已开始运行。`],
  removed: [(name: string) => `${name} was removed.`, (name: string) => `已删除：${name}`],
  when: {
    once: [(time: string) => `once, ${time}`, (time: string) => `一次，${time}`],
    everyMs: [
      (days: number, hours: number, minutes: number, seconds: number) => {
        const units: Array<[number, string]> = [
          [days, "day"],
          [hours, "hour"],
          [minutes, "minute"],
          [seconds, "second"],
        ];
        const parts = units.filter(([count]) => count > 0);
        const [only, ...more] = parts;
        if (only?.[0] === 1 && more.length === 0) return `every ${only[1]}`;
        return `every ${parts.map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`).join(" ")}`;
      },
      (days: number, hours: number, minutes: number, seconds: number) =>
        `每 ${[
          days > 0 && `${days} 天`,
          hours > 0 && `${hours} 小时`,
          minutes > 0 && `${minutes} 分钟`,
          seconds > 0 && `${seconds} 秒`,
        ]
          .filter(Boolean)
          .join(" ")}`,
    ],
    minutes: [
      (count: number) => `every ${plural(count, "minute", "minutes")}`,
      (count: number) => (count === 1 ? "每分钟" : `每 ${count} 分钟`),
    ],
    hourly: [
      (minute: string) => `every hour at :${minute}`,
      (minute: string) => `每小时的第 ${Number(minute)} 分钟`,
    ],
    hours: [
      (count: number, minute: string) => `every ${plural(count, "hour", "hours")} at :${minute}`,
      (count: number, minute: string) => `每 ${count} 小时，第 ${Number(minute)} 分钟`,
    ],
    daily: [(times: string) => `every day at ${times}`, (times: string) => `每天 ${times}`],
    weekdays: [(times: string) => `every weekday at ${times}`, (times: string) => `每个工作日 ${times}`],
    weekends: [(times: string) => `every weekend at ${times}`, (times: string) => `每个周末 ${times}`],
    onDays: [
      (days: string, times: string) => `every ${days} at ${times}`,
      (days: string, times: string) => `每${days} ${times}`,
    ],
    monthly: [
      (days: string, times: string) => `on day ${days} of every month at ${times}`,
      (days: string, times: string) => `每月 ${days} 日 ${times}`,
    ],
    expression: [
      (expression: string) => `by the expression ${expression}`,
      (expression: string) => `按表达式 ${expression}`,
    ],
    inZone: [
      (text: string, place: string) => `${text} in ${place}`,
      (text: string, place: string) => `${text}（${place}）`,
    ],
  },
  runs: ["History", "运行记录"],
  noRuns: ["Nothing has run yet.", "还没有任何任务运行过。"],
  outcomes: [
    { queued: "Running", ok: "Done", error: "Failed", skipped: "Skipped" },
    { queued: "运行中", ok: "完成", error: "失败", skipped: "已跳过" },
  ],
  seconds: [(count: string) => `${count} s`, (count: string) => `${count} 秒`],
  earlier: ["Month before", "上个月"],
  later: ["Month after", "下个月"],
  nothingOn: ["Nothing on this day.", "这一天没有任务。"],
  dayLabel: [
    (day: string, count: number) => `${day}: ${plural(count, "one job", "jobs")}`,
    (day: string, count: number) => `${day}：${count} 个任务`,
  ],
  andMore: ["and more", "等"],
  form: {
    newTitle: ["New job", "新建任务"],
    editTitle: ["Edit job", "编辑任务"],
    message: ["What is to be done", "要做什么"],
    messageHint: ["As you would say it in a chat.", "像在对话里那样说就行。"],
    messageExample: [
      "Look up the weather in Hangzhou and tell me what to wear.",
      "查一下杭州的天气，告诉我该穿什么。",
    ],
    name: ["Name", "名称"],
    nameHint: ["Leave it empty to use the first words.", "留空则取前几个字。"],
    kind: ["When", "什么时候"],
    kinds: [
      { at: "Once", every: "Interval", cron: "Fixed times" },
      { at: "一次", every: "按间隔", cron: "固定时间" },
    ],
    at: ["Day and time", "日期和时间"],
    every: ["Every", "每隔"],
    unit: ["Unit", "单位"],
    units: [
      { minutes: "minutes", hours: "hours", days: "days" },
      { minutes: "分钟", hours: "小时", days: "天" },
    ],
    repeat: ["On", "哪些日子"],
    repeats: {
      daily: ["every day", "每天"],
      weekdays: ["weekdays", "工作日"],
      weekly: ["one day of the week", "每周某天"],
      monthly: ["one day of the month", "每月某天"],
      expression: ["a cron expression", "cron 表达式"],
    },
    weekday: ["Day of the week", "星期几"],
    monthDay: ["Day of the month", "几号"],
    time: ["Time", "时间"],
    expression: ["Expression", "表达式"],
    expressionHint: [
      "Minute, hour, day, month, weekday. For example 0 9 * * 1-5.",
      "分、时、日、月、星期，例如 0 9 * * 1-5。",
    ],
    zone: ["Time zone", "时区"],
    chat: ["Answer goes to", "回复到"],
    misfire: ["If nothing ran at that time", "如果当时没有运行"],
    misfires: [
      { once: "do it once, later", skip: "leave it out" },
      { once: "之后补做一次", skip: "跳过" },
    ],
    preview: ["Next runs", "接下来的运行"],
  },
  problems: open({
    "jobs.bad-time": ["Give a day and a time.", "请给出日期和时间。"],
    "jobs.time-over": [
      "That time is over. Choose one in the future.",
      "这个时间已经过去，请选择将来的时间。",
    ],
    "jobs.too-often": ["Choose a second or more.", "请选择一秒或更长。"],
    "jobs.bad-zone": [
      "There is no such time zone. For example: Asia/Shanghai.",
      "没有这个时区。例如：Asia/Shanghai。",
    ],
    "jobs.never": ["That time never comes.", "这个时间永远不会到来。"],
    "jobs.bad-expression": [
      "Five parts are needed, such as 0 9 * * 1-5.",
      "需要五个部分，例如 0 9 * * 1-5。",
    ],
  }),
  needsMessage: ["Say what is to be done.", "请说明要做什么。"],
  heartbeat: {
    title: ["Heartbeat", "心跳"],
    about: [
      (every: string) => `Looks at HEARTBEAT.md ${every} and does what is due. An empty list costs nothing.`,
      (every: string) => `${every}看一眼 HEARTBEAT.md，做该做的事。清单为空时不花费任何费用。`,
    ],
    off: [
      "It is switched off (gateway.heartbeat.enabled in the settings).",
      "已关闭（设置中的 gateway.heartbeat.enabled）。",
    ],
    tasks: [
      (count: number) => `${plural(count, "one active task", "active tasks")}`,
      (count: number) => `${count} 个进行中的任务`,
    ],
    noTasks: ["No active task", "没有进行中的任务"],
    lastLook: ["Last look", "上次查看"],
    nextLook: ["Next look", "下次查看"],
    target: ["Tells", "通知"],
    lastChat: ["the chat where you spoke last", "你最近说话的对话"],
    show: ["Show and edit HEARTBEAT.md", "查看和编辑 HEARTBEAT.md"],
  },
});
