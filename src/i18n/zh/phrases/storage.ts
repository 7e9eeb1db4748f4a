// 助手的文件夹或文件出了什么问题。
import type { storagePhrases as english } from "../../en/phrases/storage.ts";

export const storagePhrases: typeof english = {
  "storage.locked": ({ home }) => `另一个 nanobot 正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
  "storage.locked-by": ({ home, pid, purpose, since }) =>
    `另一个 nanobot（进程 ${pid}，${purpose}，自 ${since} 起）正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
  "storage.newer": ({ path, version }) =>
    `${path} 是更新版本的 nanobot 创建的（版本 ${version}）。请使用那个版本，或把文件移走。`,
};
