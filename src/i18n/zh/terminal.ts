// 终端聊天里说的话。
import type { englishTerminal } from "../en/terminal.ts";

export const chineseTerminal: typeof englishTerminal = {
  moreLines: (count) => `还有 ${count} 行`,
  hint: "/help、@文件、$技能、!命令；Ctrl-R 查看对话，Esc 停止，Ctrl-D 离开。",
  escStops: "Esc 停止",
  shared: (command) => `我自己运行了 \`${command}\`，输出如下：`,
  sharesNext: "会随你的下一条消息一起发送。",
  noImage: "剪贴板里没有图片，或者此终端无法读取。请用 @ 指定文件。",
  sessions: "对话（回车打开，Esc 返回）",
  noSessions: "还没有对话。",
  opened: (title) => (title === "" ? "没有标题的对话" : `对话：${title}`),
  chatOf: (time) => `${time} 的对话`,
  running: "进行中",
  elsewhere: (channel) => `来自 ${channel}`,
  tokens: (count) => `${count} 个 token`,
  cached: (percent) => `缓存 ${percent}%`,
  sandboxed: "沙箱",
  unsandboxed: "无沙箱",
  gateway: "网关",
  lost: "网关已断开，正在重连",
  back: "网关已恢复。",
  unanswered: "网关在回答之前断开了。已发送的内容不会丢失，恢复后会继续回答。",
  leave: "离开",
  plain: "使用普通行模式，而不是完整界面",
};
