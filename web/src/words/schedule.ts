// Texts of the schedule page, with times and durations in words.
import { catalogue, lookup } from "./catalogue.ts";

const plural = (count: number, one: string, many: string) => (count === 1 ? one : `${count} ${many}`);

export const { english, chinese } = catalogue({
  about: [
    "What your assistant does on its own: reminders, regular tasks and regular checks.",
    "助手会主动做的事：提醒、定期任务和定期检查。",
  ],
  add: ["New reminder or task", "新建提醒或任务"],
  quick: {
    label: ["What, and when?", "做什么，什么时候？"],
    example: ["every weekday at 9 read me the news", "每个工作日九点给我读新闻"],
    hint: [
      "Just write it: “remind me tomorrow at 5 pm to call Ana”, “tell me the weather every morning”.",
      "直接写就行：“明天下午五点提醒我给安娜打电话”“每天早上八点告诉我天气”。",
    ],
    unclear: [
      "Say when, at the beginning or at the end, and what to do.",
      "请在开头或结尾写明时间，再写要做什么。",
    ],
    add: ["Add", "添加"],
    added: [(name: string) => `Planned: ${name}`, (name: string) => `已安排：${name}`],
    once: [(time: string) => `once, ${time}`, (time: string) => `一次，${time}`],
    repeats: [
      (times: string[]) => `next ${times.join(", then ")}`,
      (times: string[]) => `下次 ${times.join("，然后 ")}`,
    ],
  },
  empty: ["Nothing planned yet.", "还没有安排任何任务。"],
  emptyHint: [
    "Write it above, or ask in a chat: “Remind me every weekday at nine to stretch.”",
    "写在上面，或者直接在对话里说：“每个工作日九点提醒我活动一下。”",
  ],
  jobs: ["Reminders and tasks", "提醒和任务"],
  own: ["Built in", "内置"],
  ownNames: lookup({
    dream: ["Dream: reviews conversations and keeps what matters", "整理记忆：回顾对话，留下重要的内容"],
    heartbeat: ["Regular check", "定期检查"],
  }),
  states: [
    { planned: "Planned", paused: "Paused", over: "Done" },
    { planned: "已安排", paused: "已暂停", over: "已结束" },
  ],
  next: ["Next", "下次"],
  last: ["Last", "上次"],
  answersIn: [(chat: string) => `Reports to: ${chat}`, (chat: string) => `回复到：${chat}`],
  here: ["a separate conversation here", "这里的单独对话"],
  terminal: ["the terminal", "终端"],
  run: ["Run now", "立即运行"],
  pause: ["Pause", "暂停"],
  resume: ["Resume", "恢复"],
  edit: ["Edit", "编辑"],
  remove: ["Delete", "删除"],
  more: ["More", "更多"],
  started: [(name: string) => `Started: ${name}`, (name: string) => `已开始：${name}`],
  removed: [(name: string) => `Deleted: ${name}`, (name: string) => `已删除：${name}`],
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
      (expression: string) => `cron: ${expression}`,
      (expression: string) => `cron：${expression}`,
    ],
    inZone: [
      (text: string, place: string) => `${text} in ${place}`,
      (text: string, place: string) => `${text}（${place}）`,
    ],
  },
  runs: ["History", "历史"],
  noRuns: ["Nothing ran yet.", "还没有任何任务运行过。"],
  outcomes: [
    { queued: "Running", ok: "Done", error: "Failed", skipped: "Skipped" },
    { queued: "运行中", ok: "完成", error: "失败", skipped: "已跳过" },
  ],
  seconds: [(count: string) => `${count} s`, (count: string) => `${count} 秒`],
  earlier: ["Previous month", "上个月"],
  later: ["Next month", "下个月"],
  nothingOn: ["Nothing on this day.", "这一天没有任务。"],
  dayLabel: [
    (day: string, count: number) => `${day}: ${plural(count, "one task", "tasks")}`,
    (day: string, count: number) => `${day}：${count} 个任务`,
  ],
  andMore: ["and more", "等"],
  form: {
    newTitle: ["New reminder or task", "新建提醒或任务"],
    editTitle: ["Edit task", "编辑任务"],
    message: ["What should it do?", "要做什么？"],
    messageHint: ["Write it as you would in a chat.", "像在对话里那样说就行。"],
    messageExample: [
      "Look up the weather in Hangzhou and tell me what to wear.",
      "查一下杭州的天气，告诉我该穿什么。",
    ],
    name: ["Name", "名称"],
    nameHint: ["Leave empty to use the first words.", "留空则取前几个字。"],
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
    repeat: ["Repeat", "重复"],
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
    chat: ["Report to", "回复到"],
    misfire: ["If the computer was off", "如果电脑当时没开"],
    misfires: [
      { once: "run it when it's back", skip: "skip it" },
      { once: "开机后补做", skip: "跳过" },
    ],
    preview: ["Next runs", "接下来的运行"],
  },
  problems: lookup({
    "jobs.bad-time": ["Enter a day and a time.", "请填写日期和时间。"],
    "jobs.time-over": ["That time has passed. Choose a later one.", "这个时间已经过去，请选择之后的时间。"],
    "jobs.too-often": ["Choose at least one second.", "请选择至少一秒。"],
    "jobs.bad-zone": ["Unknown time zone. Example: Asia/Shanghai.", "没有这个时区。例如：Asia/Shanghai。"],
    "jobs.never": ["This date does not exist. Choose another.", "没有这样的日期，请换一个。"],
    "jobs.bad-expression": [
      "Five parts are needed, for example 0 9 * * 1-5.",
      "需要五个部分，例如 0 9 * * 1-5。",
    ],
  }),
  needsMessage: ["Write what it should do.", "请写下要做什么。"],
  heartbeat: {
    title: ["Regular check", "定期检查"],
    about: [
      (every: string) =>
        `Reads the list in HEARTBEAT.md ${every} and does what is due. An empty list costs nothing.`,
      (every: string) => `${every}查看 HEARTBEAT.md 里的清单，做该做的事。清单为空时不产生费用。`,
    ],
    off: ["Switched off. Turn it on in the settings, under Gateway.", "已关闭，可在“设置”的“网关”中打开。"],
    tasks: [
      (count: number) => `${plural(count, "one active task", "active tasks")}`,
      (count: number) => `${count} 个进行中的任务`,
    ],
    noTasks: ["No active tasks", "没有进行中的任务"],
    lastLook: ["Last check", "上次检查"],
    nextLook: ["Next check", "下次检查"],
    target: ["Report to", "通知"],
    lastChat: ["the chat you used last", "你最近使用的对话"],
    show: ["Edit the list", "编辑清单"],
  },
});
