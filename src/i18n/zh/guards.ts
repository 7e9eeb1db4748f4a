// What is said around approvals, trust and content from outside, in Chinese. The compiler keeps its shape equal to the
// English one.
import type { englishApproval, englishTrust } from "../en/guards.ts";

export const chineseApproval: typeof englishApproval = {
  question: (title) => `允许这样做吗？${title}`,
  reason: (reason) => `原因：${reason}`,
  risk: (risk) => `风险：${risk}`,
  sources: (sources) => `本次会话含有外来内容：${sources}`,
  sessionCovers: (subject) => `“本次会话都允许”只包括：${subject}`,
  alwaysCovers: (subject) => `长期的允许只包括这一条（用 /untrust 收回）：${subject}`,
  notShown: (count) => `还有 ${count} 行没有显示。`,
  choice: (key, label) => `[${key}] ${label}`,
  between: "，",
  answers: {
    once: ["y", "是", "好", "好的", "可以", "行", "允许", "同意"],
    session: ["s", "本次会话", "本次会话允许", "会话", "本次"],
    always: ["a", "总是", "总是允许", "一直允许", "永远允许"],
    no: ["n", "否", "不", "不行", "不要", "不可以", "不允许", "不同意", "拒绝"],
  },
  labels: {
    web: "网页",
    mail: "邮件",
    file: "工作区之外的文件",
    pipe: "管道传入的文字",
    mcp: "MCP 服务器",
    guest: "访客",
    skill: "技能",
    command: "命令",
    tool: "你自己的工具",
  },
};

export const chineseTrust: typeof englishTrust = {
  given: (until) =>
    `在 ${until} 之前信任本次会话：原本要问的事会直接去做。被禁止的仍然禁止；有外来内容之后我仍然会问。用 /untrust 结束。`,
  ended: "不再信任本次会话；我会重新询问。",
  notGiven: "本次会话没有被信任。",
  until: (until) => `信任到 ${until}`,
  rememberedHead: "总是允许：",
  forget: "/untrust <编号> 收回一条，/untrust all 全部收回。",
  nothingRemembered: "没有任何一直允许的内容。",
  forgotten: (subject) => `不再允许：${subject}`,
  outside: (sources) => `外来内容：${sources}（/new 会重新开始，不带这些内容）`,
};
