// Moving in from another assistant: what becomes of each item, and why, in Chinese.
import type { moveInPhrases as english } from "../../en/phrases/move-in.ts";

export const moveInPhrases: typeof english = {
  "move-in.no-home": ({ folder }) =>
    `${folder} 不是 OpenClaw 或 Hermes 的目录。请指定它的目录，例如 ~/.openclaw 或 ~/.hermes。`,
  "move-in.reading": "正在读取原有内容",
  "move-in.taking": "正在搬入",
  "move-in.ask-secrets": ({ count }) => `要把这 ${count} 个密钥或令牌复制到这里的配置吗？`,
  "move-in.not-copied": "按你的决定，没有复制",
  "move-in.already-set": ({ present }) => `这里已经设为 ${present}`,
  "move-in.unknown-host": ({ host }, { program }) =>
    `这里没有模型服务商“${host}”；请用 ${program} onboard 选择一个`,
  "move-in.no-such-channel": "这里不支持这个聊天应用",
  "move-in.no-such-schedule": "这里没有这种任务",
  "move-in.paused": "它在那边已停用",
  "move-in.skill-there": "这里已有同名技能",
  "move-in.skill-flagged": ({ folder }, { program }) =>
    `其中有可疑内容；看过之后可用 ${program} skills add ${folder} --allow-flagged 添加`,
  "move-in.add-server": (_, { program }) => `请用 ${program} mcp add 添加`,
  "move-in.of-the-program": "只有那个程序会用到",
  "move-in.unreadable": "无法读取，或者太大",
  "move-in.empty": "内容为空",
};
