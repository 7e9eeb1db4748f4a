// What is wrong with the files of a home, in Chinese.
import type { homePhrases as english } from "../../en/phrases/home.ts";

export const homePhrases: typeof english = {
  "home.gone": ({ home }) =>
    `nanobot 运行期间，文件夹 ${home} 被删除或移走了。为了不丢失消息，新消息会被拒收。请把它放回原处，或者重启 nanobot，从空文件夹重新开始。`,
  "home.file-damaged": ({ reason }, { say }) =>
    `${say(reason)}如果有上一份可用的副本，就会用它。请改正这个文件；否则下次更改会把它保留为 .corrupt-1，再写一份新的。`,
  "home.file-unreadable": ({ reason }, { say }) => `${say(reason)}文件保持原样，nanobot 稍后会再试。`,
  "home.memory-sorted": ({ count }) =>
    `早期版本可能把一段对话的摘要存进了别人的记忆。发现 ${count} 条放错位置的摘要，已移到该对话所属的人或群组。记忆文件的旧版本以及这期间的回答里可能仍提到它们。`,
  "home.database-set-aside": ({ path }) =>
    `state.db 曾经损坏，现保留为 ${path}。能读出的内容已经转移，排队的消息优先；对话和记忆不在里面。不再需要时请删除这个文件。`,
};
