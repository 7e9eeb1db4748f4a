// Texts of the first start, of connecting a model, and of the demo that answers without one.
import { catalogue, lookup } from "./catalogue.ts";

export const { english, chinese } = catalogue({
  title: ["Welcome to nanobot", "欢迎使用 nanobot"],
  about: [
    "Your own assistant, on your own computer. How should it think?",
    "你自己的助手，运行在你自己的电脑上。先选一种思考方式：",
  ],
  back: ["Back", "返回"],
  hosted: ["An AI on the internet", "使用网上的 AI"],
  hostedAbout: [
    "Claude, ChatGPT, Gemini, DeepSeek and others. You need a key; a day of chatting usually costs a few cents.",
    "DeepSeek、通义千问、Claude、ChatGPT 等。需要密钥；聊一天通常只要几毛钱。",
  ],
  local: ["An AI on this computer", "使用这台电脑上的 AI"],
  localFound: [
    (servers: string) => `Found: ${servers}. Free and private, works without the internet.`,
    (servers: string) => `已找到：${servers}。免费、私密，无需联网。`,
  ],
  localMissing: [
    "Free and private. Nothing found yet: needs Ollama, LM Studio or llama.cpp.",
    "免费、私密。暂未找到，需要 Ollama、LM Studio 或 llama.cpp。",
  ],
  localLooking: ["Looking for one on this computer…", "正在这台电脑上查找…"],
  localHow: [
    "Install Ollama (ollama.com) or LM Studio (lmstudio.ai), download a model in it, and look again.",
    "安装 Ollama（ollama.com）或 LM Studio（lmstudio.ai），在里面下载一个模型，然后重新查找。",
  ],
  lookAgain: ["Look again", "重新查找"],
  demo: ["Just look around", "先随便看看"],
  demoAbout: [
    "A short guided demo. No AI yet; you can connect one at any time.",
    "一个简短的演示，还没有 AI；随时可以再接入。",
  ],
  provider: ["Provider", "服务商"],
  searchProviders: [
    (count: number) => `Search ${count} providers`,
    (count: number) => `搜索 ${count} 个服务商`,
  ],
  noProvider: ["No provider has that name.", "没有这个名字的服务商。"],
  costs: [
    "You pay the provider for what you use, usually a few cents a day. The key stays on this computer.",
    "按用量向服务商付费，通常每天只要几毛钱。密钥只保存在这台电脑上。",
  ],
  models: ["Model", "模型"],
  chooseModel: ["Search, or type a model ID", "搜索，或输入模型 ID"],
  modelHint: ["For example gpt-5", "例如 gpt-5"],
  showModels: ["Show models", "显示模型"],
  loadingModels: ["Asking for its models…", "正在获取模型列表…"],
  price: [
    (input: string, output: string) => `${input} in, ${output} out per million tokens`,
    (input: string, output: string) => `每百万 token 输入 ${input}、输出 ${output}`,
  ],
  window: [(tokens: string) => `${tokens} tokens`, (tokens: string) => `${tokens} 个 token`],
  start: ["Try it and start", "试一下并开始"],
  moveIn: {
    found: [
      (program: string) => `You have used ${program} on this computer.`,
      (program: string) => `你在这台电脑上用过 ${program}。`,
    ],
    about: [
      "Bring its memory, skills, chats and reminders along. Nothing there is changed.",
      "可以把它的记忆、技能、对话和提醒带过来。原来的内容不会改动。",
    ],
    secrets: ["Also copy its keys and tokens", "同时复制密钥和令牌"],
    run: ["Bring it along", "带过来"],
    done: [
      (count: number) => `Done: ${count} items taken over.`,
      (count: number) => `完成：已带来 ${count} 项。`,
    ],
    programs: lookup({
      openclaw: ["OpenClaw", "OpenClaw"],
      hermes: ["Hermes", "Hermes"],
      nanobot: ["nanobot (Python)", "nanobot（Python）"],
    }),
  },
  demoName: ["Demo, no AI yet", "演示，尚未接入 AI"],
  /** The same as the demo names in a terminal; a test compares them. */
  demoExamples: [
    [
      "My sister is called Ana",
      "What is my sister's name?",
      "Remind me in 1 minute to stretch",
      "Make a shopping list: milk, eggs, tea",
      "Show my shopping list",
      "Write a note: the tea shop opens at 9",
      "Show my notes",
      "List the files",
      "What would a model add?",
    ],
    [
      "我姐姐叫安娜",
      "我姐姐叫什么？",
      "1分钟后提醒我伸个懒腰",
      "建一个购物清单：牛奶、鸡蛋、茶叶",
      "看看购物清单",
      "写个笔记：茶馆九点开门",
      "看看我的笔记",
      "列出文件",
      "接入模型后能做什么？",
    ],
  ],
  demoCards: [
    ["Tell it something", "Get reminded", "Keep a list"],
    ["告诉它一件事", "让它提醒你", "记一个清单"],
  ],
  connect: ["Connect a model", "接入模型"],
});
