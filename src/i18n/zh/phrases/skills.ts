// Why a skill cannot be added, in Chinese.
import type { skillPhrases as english } from "../../en/phrases/skills.ts";

export const skillPhrases: typeof english = {
  "skills.not-a-zip": "这不是 zip 文件，或者已经损坏。请给出文件夹、zip 文件或 Git 地址。",
  "skills.unsafe-path": "zip 文件里有指向外部的链接或路径，所以没有解压。",
  "skills.too-large": "zip 文件太大，或者解压后太大。请自己解压，再给出文件夹。",
  "skills.unsupported": "zip 文件已加密，或压缩方式不常见。请自己解压，再给出文件夹。",
  "skills.not-fetched": ({ address }) =>
    `无法下载 ${address}。请给出 Git 仓库的 https 地址，或者先下载，再给出文件。`,
  "skills.not-there": ({ path }) => `${path} 不存在。`,
  "skills.no-git": "没有安装 Git。请安装它，或者先下载技能，再给出文件夹。",
  "skills.git-failed": ({ reason }) => `Git 无法下载：${reason}`,
  "skills.none-inside": "里面没有 SKILL.md。",
  "skills.not-plain": ({ path }) => `没有添加，因为 ${path} 是链接或无法读取。`,
  "skills.too-much": "没有添加。最多 500 个文件，单个文件最多 8 MB，总共最多 32 MB。",
  "skills.bad-name": ({ name }) =>
    `没有添加。它的名称“${name}”或文件夹的名称必须由小写字母、数字和连字符组成。`,
  "skills.flagged": "没有添加，因为里面有可疑的内容。请先阅读，确定信任它再添加。",
  "skills.stage-gone": "时间太久了，请重新查看这个技能再添加。",
  "skills.not-found": ({ name }) => `没有技能“${name}”。`,
  "skills.other-now": "这个技能在你查看之后变了，请再看一遍。",
  "skills.shared": "别人也在用它，不能在这里删除。",
  "skills.changed": "没有添加，因为复制时内容发生了变化。请再试一次。",
};
