// What the pictures of the documentation show: the home of an invented person, in both languages. Data only.
import type { ScriptedReply } from "../../src/llm/scripted.ts";

export interface DemoTurn {
  text: string;
  replies: ScriptedReply[];
}

export interface DemoSession {
  key: string;
  title: string;
  isPinned?: boolean;
  turns: DemoTurn[];
}

export interface DemoContent {
  /** By their path in the workspace. */
  files: Record<string, string>;
  /** The last one is shown. */
  sessions: DemoSession[];
  jobs: Array<{ name: string; message: string; expr?: string; everyMs?: number; tz?: string; days?: number }>;
}

const usage = { input: 4_210, cached: 3_328, output: 214 };

const budget = [
  "month,rent,food,train,books",
  "2026-08,1150,412,89,31",
  "2026-09,1150,388,89,54",
  "2026-10,1150,431,124,22",
  "2026-11,1150,366,89,47",
].join("\n");

const sumUp = `awk -F, 'NR > 1 { print $1, $2 + $3 + $4 + $5 }' budget.csv`;

const english: DemoContent = {
  files: {
    "budget.csv": `${budget}\n`,
    "garden.md": "# Garden\n\n- Tomatoes: sow inside in March\n- Basil: warm window, never wet feet\n",
    "USER.md":
      "# Mara\n\n- Lives in Lisbon, works as a translator from Chinese and German.\n- Prefers short answers with the figures first.\n- Gets up at seven; nothing before eight, please.\n",
    "memory/MEMORY.md":
      "# Memory\n\n## People\n- Jonas, her brother, is allergic to hazelnuts.\n- Dr. Albrecht is the vet; Mondays and Thursdays only.\n\n## Home\n- The cat is called Luna and gets her pill every other morning.\n- The lease ends on 31 March 2027.\n\n## Work\n- Invoices go out on the last weekday of a month.\n- The publisher wants British spelling.\n",
    "HEARTBEAT.md":
      "# Heartbeat\n\n## Active Tasks\n- Tell me when the parcel from the print shop has arrived.\n\n## Done\n",
  },
  sessions: [
    {
      key: "web:garden",
      title: "What grows on a north balcony?",
      turns: [
        {
          text: "What grows on a north balcony in Lisbon?",
          replies: [
            {
              text: "Ferns, hydrangeas, mint and parsley do well without direct sun. Avoid basil and tomatoes there: they want six hours of it.",
              usage,
            },
          ],
        },
      ],
    },
    {
      key: "web:invoices",
      title: "Invoices of November",
      isPinned: true,
      turns: [
        {
          text: "Remind me of the invoices on the last weekday of each month.",
          replies: [
            { text: "Done: a reminder at 9:00 on the last weekday of each month, here in this chat.", usage },
          ],
        },
      ],
    },
    {
      key: "web:budget",
      title: "Spending this autumn",
      turns: [
        {
          text: "How did my spending change since August? The figures are in budget.csv.",
          replies: [
            {
              reasoning:
                "The file is small. I read it first, then add up each month with a command instead of in my head.",
              toolCalls: [{ name: "read_file", arguments: { path: "budget.csv" } }],
              usage,
            },
            { toolCalls: [{ name: "exec", arguments: { command: sumUp } }], usage },
            {
              text: [
                "You spent **2 % less** in November than in August.",
                "",
                "| month | total | change |",
                "|---|---:|---:|",
                "| August | 1,682 € | |",
                "| September | 1,681 € | −1 € |",
                "| October | 1,727 € | +46 € |",
                "| November | 1,652 € | −75 € |",
                "",
                "October was the train to Porto. The change over the whole time is",
                "",
                "$$\\frac{1652 - 1682}{1682} \\approx -1.8\\,\\%$$",
              ].join("\n"),
              usage,
            },
          ],
        },
        {
          text: "Save that in a new file, and remind me to look again when December is over.",
          replies: [
            {
              toolCalls: [
                {
                  name: "write_file",
                  arguments: {
                    path: "spending.md",
                    content:
                      "# Spending, autumn 2026\n\n- August to November: −1.8 %\n- October: +46 € (train to Porto)\n",
                  },
                },
                {
                  name: "cron",
                  arguments: {
                    action: "add",
                    message: "Remind Mara to look at spending.md",
                    at: "2027-01-01T09:00",
                  },
                },
              ],
              usage,
            },
            {
              text: "Saved in `spending.md`. I'll remind you on 1 January at 9:00.",
              usage,
            },
          ],
        },
      ],
    },
  ],
  jobs: [
    { name: "Luna's pill", message: "Remind me of Luna's pill.", everyMs: 2 * 86_400_000 },
    {
      name: "Morning briefing",
      message: "Tell me what is in today's notes.",
      expr: "30 8 * * 1-5",
      tz: "Europe/Lisbon",
    },
    { name: "Invoices", message: "Remind me of the invoices.", expr: "0 9 28 * *", tz: "Europe/Lisbon" },
    { name: "Call the vet", message: "Remind me to call Dr. Albrecht.", days: 2 },
  ],
};

const chinese: DemoContent = {
  files: {
    "budget.csv": `${budget}\n`,
    "garden.md": "# 阳台\n\n- 番茄：三月在室内播种\n- 罗勒：放在暖和的窗边，别积水\n",
    "USER.md":
      "# 小敏\n\n- 住在杭州，做德语和英语翻译。\n- 喜欢简短的回答，先说数字。\n- 七点起床，八点以前请勿打扰。\n",
    "memory/MEMORY.md":
      "# 记忆\n\n## 家人和朋友\n- 弟弟小航对榛子过敏。\n- 陈医生是兽医，只有周一和周四在。\n\n## 家里\n- 猫叫月牙，隔天早上吃一次药。\n- 租约到 2027 年 3 月 31 日。\n\n## 工作\n- 每月最后一个工作日开发票。\n- 出版社要求使用全角标点。\n",
    "HEARTBEAT.md": "# Heartbeat\n\n## Active Tasks\n- 印刷店的包裹到了就告诉我。\n\n## Done\n",
  },
  sessions: [
    {
      key: "web:garden",
      title: "朝北的阳台种什么？",
      turns: [
        {
          text: "杭州朝北的阳台适合种什么？",
          replies: [
            {
              text: "蕨类、绣球、薄荷和欧芹在没有直射阳光的地方也长得好。罗勒和番茄不合适：它们每天要晒六个小时太阳。",
              usage,
            },
          ],
        },
      ],
    },
    {
      key: "web:invoices",
      title: "十一月的发票",
      isPinned: true,
      turns: [
        {
          text: "每月最后一个工作日提醒我开发票。",
          replies: [{ text: "好了：每月最后一个工作日 9:00，就在这个对话里提醒你。", usage }],
        },
      ],
    },
    {
      key: "web:budget",
      title: "今年秋天的开销",
      turns: [
        {
          text: "从八月到现在，我的开销有什么变化？数据在 budget.csv 里。",
          replies: [
            {
              reasoning: "文件不大。先读一遍，再用命令把每个月加起来，不靠心算。",
              toolCalls: [{ name: "read_file", arguments: { path: "budget.csv" } }],
              usage,
            },
            { toolCalls: [{ name: "exec", arguments: { command: sumUp } }], usage },
            {
              text: [
                "十一月比八月**少花了约 2 %**。",
                "",
                "| 月份 | 合计 | 变化 |",
                "|---|---:|---:|",
                "| 八月 | 1,682 | |",
                "| 九月 | 1,681 | −1 |",
                "| 十月 | 1,727 | +46 |",
                "| 十一月 | 1,652 | −75 |",
                "",
                "十月多出来的是去上海的车票。整段时间的变化是",
                "",
                "$$\\frac{1652 - 1682}{1682} \\approx -1.8\\,\\%$$",
              ].join("\n"),
              usage,
            },
          ],
        },
        {
          text: "把结论记到一个新文件里，十二月过完再提醒我看一次。",
          replies: [
            {
              toolCalls: [
                {
                  name: "write_file",
                  arguments: {
                    path: "spending.md",
                    content: "# 2026 年秋天的开销\n\n- 八月到十一月：−1.8 %\n- 十月：+46（去上海的车票）\n",
                  },
                },
                {
                  name: "cron",
                  arguments: { action: "add", message: "提醒小敏看一下 spending.md", at: "2027-01-01T09:00" },
                },
              ],
              usage,
            },
            {
              text: "已经写进 `spending.md`。1 月 1 日早上 9 点提醒你。",
              usage,
            },
          ],
        },
      ],
    },
  ],
  jobs: [
    { name: "月牙的药", message: "提醒我给月牙喂药。", everyMs: 2 * 86_400_000 },
    { name: "早间简报", message: "告诉我今天的笔记里有什么。", expr: "30 8 * * 1-5", tz: "Asia/Shanghai" },
    { name: "发票", message: "提醒我开发票。", expr: "0 9 28 * *", tz: "Asia/Shanghai" },
    { name: "给兽医打电话", message: "提醒我给陈医生打电话。", days: 2 },
  ],
};

export const demo = { english, chinese };
