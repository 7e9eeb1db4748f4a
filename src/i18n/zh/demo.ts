// What the demo says, where no AI model is connected, in Chinese.
import type { englishDemo } from "../en/demo.ts";

export const chineseDemo: typeof englishDemo = {
  demo: {
    intro:
      "你好！这是演示：还没有接入 AI 模型，所以我只听得懂少数几种说法。不过我做的事都是真的：记住你说的话、写笔记和清单、定时提醒、处理文件。所有内容都留在这台电脑上。",
    examples: [
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
    tryThese: "可以试试：",
    notUnderstood: "没有 AI 模型，这句话我听不懂。",
    noWords: "这条消息是空的。",
    connect: (command) => `接入模型：${command}`,
    connectOnPage: "点下面的按钮就能接入模型。",
    tour: `接入 AI 模型之后，我可以：

- **聊天**：什么都能聊，真正听懂你的意思
- **自己动手**：读写文件、运行命令（会先问你）、上网查资料
- **学习**：从我们的对话里记住重要的事，几周前说过的也找得回来
- **计划**：“每个工作日九点给我读新闻”
- **看**：你发来的图片和文档
- **在别处回答**：Telegram、邮件和其他聊天软件`,
    welcome: "不客气。",
    goodbye: "再见！",
    time: (time) => `现在是 ${time}。`,
    remembered: (fact) => `好的，记住了。${fact}`,
    alreadyKnown: "这个我已经知道了。",
    unknown: "你还没告诉过我。告诉我，我就会记住。",
    memories: "我记得这些：",
    noMemories: "还什么都没有。跟我说说你自己吧。",
    noted: (file) => `好了，写在 ${file} 里了。`,
    alreadyNoted: (file) => `${file} 里已经有了。`,
    notesHeading: "笔记",
    listHeading: (name) => `${name}清单`,
    listMade: (name) => `${name}清单建好了。可以这样说：把牛奶加到${name}清单`,
    empty: (file) => `${file} 是空的。`,
    missing: (file) => `还没有 ${file}。`,
    image: (file) => `${file} 是一张图片。接入 AI 模型后我才看得到。`,
    unread: "（文件没有读完）",
    workspace: "你的工作区",
    inFolder: (folder) => `${folder}里有：`,
    emptyFolder: "里面是空的。",
    failed: (reason) => `没有成功：${reason}`,
    noTool: (name) => `这里不能这样做（${name}）。`,
    timer: "计时结束了",
    reminding: (time, wait) => `好的，${time} 提醒你（${wait}）。`,
    repeating: (next) => `好的，安排好了。下次：${next}。`,
    needsGateway: (command) => `只有它在运行时才会提醒：${command}`,
    reminders: "你的提醒：",
    noReminders: "你没有任何提醒。",
    cancelled: (name) => `已删除：${name}。`,
    noSuchReminder: "没找到这个提醒。可以说：列出提醒",
    whichReminder: "是哪一个？",
  },
};
