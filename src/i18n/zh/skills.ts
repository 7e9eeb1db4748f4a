// What `nanobot skills` says, in Chinese. The compiler keeps its shape equal to the English one.
import { nanobot } from "../../lib/program-command.ts";
import type { englishSkills } from "../en/skills.ts";

export const chineseSkills: typeof englishSkills = {
  states: { ready: "可用", always: "始终启用", off: "已关闭", blocked: "已拦截", unusable: "不可用" },
  sources: {
    workspace: "工作区",
    user: "主目录",
    agents: "~/.agents",
    directory: "附加目录",
    "built-in": "内置",
  },
  needsTarget: (action) => `请写明对象：${nanobot} skills ${action} <……>`,
  needsYes: "没有人可以询问。如果确定，请加上 --yes。",
  severalInside: (names) => `有多个技能，或没有这个名称的技能。请用 --name 选择：${names}`,
  wouldCopy: (count, folder) => `将复制到 ${folder} 的文件数：${count}`,
  nothingFound: "没有发现可疑内容。",
  found: "可疑内容：",
  replaces: "它将取代现有的同名技能。变化如下：",
  addFlagged: "没有添加。如果你已经读过并信任它，请加上 --allow-flagged。",
  askAdd: (name) => `添加“${name}”吗？`,
  askAllow: (name) => `按现在的内容使用“${name}”吗？`,
  askRemove: (folder) => `删除 ${folder} 吗？`,
  added: (name, folder) => `已把“${name}”添加到 ${folder}。`,
  removed: (name) => `已删除“${name}”。`,
  enabled: (name) => `已启用“${name}”。`,
  disabled: (name) => `已关闭“${name}”。`,
  allowed: (name) => `“${name}”可以使用，直到其中有文件改变。`,
  notOurs: (folder) =>
    `${folder} 属于程序本身，或其他程序也在使用。请改为关闭该技能：${nanobot} skills disable`,
  checked: (name) => `“${name}”是一个合格的技能。`,
};
