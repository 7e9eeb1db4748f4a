// 关于被批准的人，以及没能发出的消息。
import type { englishOutbox, englishPairing } from "../en/pairing.ts";

export const chinesePairing: typeof englishPairing = {
  usage: {
    command: "谁可以在聊天软件里和助手说话",
    action: "要做什么（默认：list）",
    code: "配对码；revoke 时为渠道和 id",
    owner: "作为主人，可以做任何事",
    person: "这个人的名字；同名的两个发送者算同一个人",
  },
  nobody: "还没有人有使用权限，也没有待批准的请求。",
  waiting: "等待批准：",
  admitted: "已批准：",
  request: (code, who, valid) => `\`${code}\`：${who}，${valid}内有效`,
  sender: (channel, id) => `${channel} ${id}`,
  named: (name, sender) => `${name}（${sender}）`,
  roles: { owner: "主人", guest: "客人" },
  pair: (who, role) => `${who}：${role}`,
  guest: (person) => `客人 \`${person}\``,
  approved: (who, role) => `已批准：${who}，身份为${role}。`,
  denied: "已拒绝。",
  revoked: (sender) => `${sender} 不再被批准。`,
  needsCode: (command) => `哪个配对码？${command} <配对码>`,
  needsSender: (command) => `谁？${command} <渠道> <id>`,
  help: "/pairing approve <配对码> [owner]、deny <配对码>、revoke <渠道> <id>",
};

export const chineseOutbox: typeof englishOutbox = {
  usage: {
    command: "还没有发出或没能发出的消息",
    action: "要做什么（默认：list）",
    id: "消息的编号，或 all（全部）",
  },
  empty: "都已发出。",
  states: { waiting: "等待中", sending: "正在发送", dead: "已放弃" },
  row: (chat, state, tries) => `${chat}，${state}，试过 ${tries} 次`,
  needsId: (command) => `哪一条？${command} <编号>，或 all`,
  retried: (count) => `将重新发送：${count}`,
  dropped: (count) => `已丢弃：${count}`,
  noSuch: (id) => `没有等待中或已放弃的消息“${id}”。请列出来看看编号。`,
};
