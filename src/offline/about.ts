// What the offline model says about itself, and about how to get a real one.
import { nanobot } from "../lib/program-command.ts";
import type { Saying } from "./intent.ts";

export function describeSelf(version: string): Saying {
  return {
    english: `I am nanobot ${version}, and right now only my offline model is answering: a handful of fixed rules that work without a key and without a network. There is no language model behind me yet, so I cannot really converse, but for a few requests I use real tools on your files. Nothing leaves this machine.`,
    chinese: `我是 nanobot ${version}，现在由内置的离线模型回答：它只是一小组固定规则，不需要密钥，也不需要网络。背后还没有真正的语言模型，所以我没法自由聊天，但有几类请求我会用真实的工具来完成。所有内容都留在这台机器上。`,
  };
}

export const connectingHelp: Saying = {
  english: `To talk with a real model, choose one of these:
1. Choose it under Settings in the browser, or run \`${nanobot} onboard\` and answer its questions.
2. Put a key into the environment and start me again, for example \`export ANTHROPIC_API_KEY=...\` (or OPENAI_API_KEY, OPENROUTER_API_KEY, DEEPSEEK_API_KEY, GEMINI_API_KEY ...).
3. Use a model on your own machine: with Ollama running, \`${nanobot} onboard --provider ollama --model <model>\`.`,
  chinese: `想接入真正的模型，任选一种方式：
1. 在浏览器的“设置”里选择，或运行 \`${nanobot} onboard\`，按提示回答几个问题。
2. 把密钥放进环境变量后重新启动，例如 \`export DEEPSEEK_API_KEY=...\`（也可以是 MOONSHOT_API_KEY、DASHSCOPE_API_KEY、ZHIPU_API_KEY、SILICONFLOW_API_KEY、ANTHROPIC_API_KEY、OPENAI_API_KEY 等）。
3. 使用本机的模型：启动 Ollama 后运行 \`${nanobot} onboard --provider ollama --model <模型>\`。`,
};

export const examples: Saying = {
  english: `You can say, for example:
- \`list the files\`, \`list the folder notes\`
- \`read README.md\`
- \`write a note: buy milk\`, \`save "buy milk" to shopping.md\`
- \`remember that my cat is called Luna\`, \`what do you remember?\`
- \`search for milk\`, \`find files *.md\`
- \`remind me in 20 minutes to drink water\`, \`every weekday at 9 read today.md\`, \`list my reminders\`
- \`run date\`, \`what time is it?\``,
  chinese: `你可以这样说：
- \`列出文件\`、\`列出 notes 目录\`
- \`读取 README.md\`
- \`写个笔记：买牛奶\`、\`把“买牛奶”写到 shopping.md\`
- \`记住我的猫叫露娜\`、\`你记得什么？\`
- \`搜索 牛奶\`、\`查找文件 *.md\`
- \`20分钟后提醒我喝水\`、\`每天九点读取 today.md\`、\`列出提醒\`
- \`运行 date\`、\`现在几点？\``,
};

export const emptyMessage: Saying = {
  english: "That message had no words in it. Say `help` to see what I can do.",
  chinese: "这条消息里没有文字。输入 `帮助` 看看我能做什么。",
};

/** Said to everything that no rule fits. */
export function describeLimits(length: number): Saying {
  const isLong = length > 2000;
  return {
    english: `${isLong ? `That is a long message (${length} characters), and` : "I did not understand that:"} only my offline model is answering, which knows a few fixed requests.\n\n${examples.english}\n\n${connectingHelp.english}`,
    chinese: `${isLong ? `这条消息很长（${length} 个字符），而` : "这句话我没能理解："}现在只有离线模型在回答，它只懂几类固定的请求。\n\n${examples.chinese}\n\n${connectingHelp.chinese}`,
  };
}

export function joinSayings(...sayings: Saying[]): Saying {
  return {
    english: sayings.map((saying) => saying.english).join("\n\n"),
    chinese: sayings.map((saying) => saying.chinese).join("\n\n"),
  };
}
