// What is wrong with the folder or the files of an assistant, and moving in from another one, in Chinese.
import type { storagePhrases as english } from "../../en/phrases/storage.ts";

const advice: Record<string, string> = {
  EACCES: "请检查它和所在的文件夹是否属于你。",
  EPERM: "请检查它和所在的文件夹是否属于你。",
  ENOSPC: "请腾出一些磁盘空间再试。",
  EDQUOT: "磁盘配额已用完：请腾出一些空间再试。",
  EROFS: "磁盘是只读的：请让它可写，或把 NANOBOT_HOME 设为另一个文件夹。",
  EISDIR: "有别的东西占用了这个文件名：请把它移走。",
  ELOOP: "它是一个失效的链接：请删除它。",
  EMFILE: "打开的文件太多：请提高上限（ulimit -n）。",
};

function adviceFor(errno: string): string {
  return advice[errno] ?? "请检查磁盘，或把文件移走，从头开始。";
}

function folderAdviceFor(errno: string): string {
  const isFull = ["ENOSPC", "EDQUOT", "EMFILE"].includes(errno);
  return isFull ? adviceFor(errno) : "请让它可写，或把 NANOBOT_HOME 设为另一个文件夹。";
}

export const storagePhrases: typeof english = {
  "storage.locked": ({ home }) => `另一个 nanobot 正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
  "storage.locked-by": ({ home, pid, purpose, since }) =>
    `另一个 nanobot（进程 ${pid}，${purpose}，自 ${since} 起）正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
  "storage.lock-unusable": ({ path, quote }) => `${path} 无法锁定（${quote}）。请检查磁盘和文件的所有者。`,
  "storage.home-unwritable": ({ home, errno }) =>
    `文件夹 ${home} 无法写入（${errno}）。${folderAdviceFor(errno)}`,
  "storage.newer": ({ path, version }) =>
    `${path} 是更新版本的 nanobot 创建的（版本 ${version}）。请使用那个版本，或把文件移走。`,
  "storage.database-unusable": ({ path, quote }) =>
    `${path} 无法使用（${quote}）。请检查磁盘、剩余空间和文件的所有者。`,
  "storage.session-read": ({ path, errno }) =>
    `无法读取 ${path} 里的对话（${errno}）。${adviceFor(errno)}其中的内容没有改动。`,
  "storage.session-write": ({ path, errno }) =>
    `无法保存 ${path} 里的对话（${errno}）。${adviceFor(errno)}其中的内容没有改动。`,
  "storage.session-move": ({ path, errno }) =>
    `无法把 ${path} 里的对话移到新位置（${errno}）。${adviceFor(errno)}其中的内容没有改动。`,
  "storage.file-read": ({ path, errno }) => `文件 ${path} 无法读取（${errno}）。${adviceFor(errno)}`,
  "storage.file-write": ({ path, errno }) => `文件 ${path} 无法写入（${errno}）。${adviceFor(errno)}`,
  "storage.file-move": ({ path, errno }) => `文件 ${path} 无法移动（${errno}）。${adviceFor(errno)}`,
  "storage.not-plain": ({ path }) => `${path} 是链接，或者不是应有的文件。请把它移走再试。`,
  "storage.changed-while-copied": ({ path }) => `${path} 在复制时被改动了，请再试一次。`,
  "storage.sessions-unplaced": ({ workspace, path }) =>
    `无法为 ${workspace} 的对话选定文件夹。请删除 ${path} 再试。`,
  "storage.sessions-in-workspace": ({ folder, workspace }) =>
    `对话会保存在 ${folder}，它在工作区 ${workspace} 之内，工具可以改动。请换一个工作区，或把 NANOBOT_HOME 设为另一个文件夹。`,
  "storage.disk": ({ errno }) => `磁盘无法使用（${errno}）。${adviceFor(errno)}`,
  "storage.missing": ({ path }) => `${path} 不存在。`,
  "storage.unusable": ({ path, errno }) => `${path} 无法使用（${errno}）。请检查它的所有者、权限和磁盘。`,
  "durability.lost": "这个助手现在由另一台机器运行，本机已经停止。",
  "durability.unavailable": "暂时连不上保存这个助手的数据库，nanobot 会自动重试。",
  "durability.quota": "这个助手的空间已经用完。请从工作区删除一些文件，或申请更多空间。",

  "homes.bad-name": "名字最多 32 个字符，只能用小写字母、数字和连字符，并以字母开头。",
  "homes.exists": ({ name }) => `已经有一个叫“${name}”的助手。`,
  "homes.unknown": ({ name }) => `这台电脑上没有叫“${name}”的助手。查看：nanobot homes`,
  "homes.own": "助手不能删除自己。请在另一个助手的页面上或在终端里删除。",
  "homes.in-cluster": "这些助手由集群保存。添加和删除请用：nanobot cluster homes",
  "cluster.no-driver": ({ command }) => `没有安装 PostgreSQL 驱动。请运行：${command}`,

  "cluster.not-prepared": "这个数据库里还没有集群。请先运行：nanobot cluster init",
  "cluster.newer-schema": ({ found, known }) =>
    `集群的数据表是版本 ${found}，这里的 nanobot 只认识版本 ${known}。请更新本机的 nanobot。`,
  "cluster.older-schema": "这个数据库里的集群是旧版本。请先升级：nanobot cluster init",
  "cluster.other-key": "NANOBOT_CLUSTER_KEY 不是建立这个集群时用的密钥。没有改动任何内容。",
  "cluster.no-url":
    "请把 NANOBOT_CLUSTER_URL 设为 PostgreSQL 数据库的地址，例如 postgresql://user:password@host/nanobot。",
  "cluster.no-key":
    "请把 NANOBOT_CLUSTER_KEY 设为一个足够长的密钥，每台机器都相同。数据库里的一切都用它加密。",
  "cluster.no-other-key":
    "请把 NANOBOT_CLUSTER_KEY 设为新密钥，把 NANOBOT_CLUSTER_KEY_ALSO 设为之前的密钥；这里和每台机器上都要设置。",
  "cluster.unreachable": ({ quote }) => `连不上集群的数据库：${quote}`,
  "cluster.no-home": ({ home }) => `集群里没有“${home}”。`,
  "cluster.home-exists": ({ home }) => `集群里已经有“${home}”。`,
  "cluster.home-held": ({ home }) =>
    `“${home}”正由一台机器运行。请先暂停它：nanobot cluster homes suspend ${home}`,
  "cluster.home-not-empty": ({ home }) => `集群里的“${home}”不是空的，请导入到一个新的名字下。`,
  "cluster.folder-exists": ({ folder }) => `${folder} 已经存在，请换一个还不存在的文件夹。`,
  "cluster.workspace-elsewhere": ({ folder }) =>
    `工作区 ${folder} 不在助手的主目录里。请把它移进来，并修改 agents.defaults.workspace。`,
  "cluster.no-worker": ({ worker }) => `没有正在运行的机器“${worker}”。查看：nanobot cluster status`,
  "cluster.bad-host": "请写主机名，例如 ann.example.org，不带 https:// 和端口。",
  "cluster.host-taken": ({ host }) => `${host} 已经指向一个助手。`,
  "cluster.bad-name": "名字最多 63 个字符，只能用小写字母、数字和连字符，并以字母开头。",
  "cluster.damaged-home": ({ home }) => `数据库里保存的“${home}”前后对不上。没有改动任何内容。`,
  "cluster.sealed-otherwise": ({ home }) =>
    `用这个 NANOBOT_CLUSTER_KEY 无法解密“${home}”。没有改动任何内容。`,

  "file.is-folder": ({ file }) => `${file} 是文件夹，这里应该是文件。`,
  "file.not-regular": ({ file }) => `${file} 不是普通文件。`,
  "file.broken-link": ({ file }) => `${file} 是链接，但它指向的文件不存在。`,
  "file.too-large": ({ file, megabytes }) => `${file} 超过了 ${megabytes} MB。`,
  "file.unreadable": ({ file, errno }) => `${file} 无法读取（${errno}）。请检查它的所有者和权限。`,
  "file.not-utf8": ({ file }) => `${file} 不是 UTF-8 文本，请存为 UTF-8。`,
  "file.not-object": ({ file }) => `${file} 的内容必须是一个写在 { } 里的 JSON 对象。`,
  "file.too-deep": ({ file, levels }) => `${file} 的嵌套超过了 ${levels} 层。`,
  "file.bad-json": ({ file, line, column, reason }, { say }) =>
    `${file} 不是有效的 JSON（第 ${line} 行，第 ${column} 列）：${say(reason)}`,
  "file.outside": ({ file }) => `${file} 在工作区之外。请用工作区里的路径。`,
  "file.kept": ({ file, place }) => `${file} 在 ${place} 里，那是助手自己保留的。请换一个路径。`,
  "files.name-taken": ({ name }: { name: string }) => `“${name}”已被占用，请换个名字。`,
  "files.gone": ({ name }: { name: string }) => `${name} 已经不在了。`,
  "files.whole-folder": "这是你的整个文件夹，请选择其中的文件。",
  "file.missing": ({ file }) => `${file} 不存在。`,
  "file.denied": ({ file }) => `没有使用 ${file} 的权限。请修改它的权限，或换一个路径。`,
  "file.disk-full": ({ file }) => `磁盘已满，没有写入 ${file}。请腾出一些空间。`,
  "file.unreachable": ({ file }) => `${file} 所在的磁盘没有响应。请检查它。`,
  "file.busy": ({ file }) => `${file} 正在使用中。请重试。`,
  "file.unusable": ({ file }) => `${file} 不能用作路径。`,
  "file.would-be-too-large": ({ file, megabytes }) =>
    `${file} 会超过 ${megabytes} MB，所以没有做任何更改。请先删除其中的一部分内容。`,

  "json.comment": "JSON 里不能写注释，请删掉这一条。",
  "json.quotes": '文本要放在直双引号 (") 里。',
  "json.extra-comma": "前面多了一个逗号或冒号。",
  "json.open-text": "有一段文本没有在本行结束，或者转义写错了。",
  "json.no-colon": "键后面缺少冒号。",
  "json.no-comma": "前面缺少逗号或右括号。",
  "json.after-end": "结尾之后还有内容。",
  "json.no-key": "这里应该是双引号里的键。",
  "json.no-value": "这里应该是一个值。",
  "json.empty": "文件是空的。",
  "json.cut-short": ({ bracket }) => `文件不完整，缺少 ${bracket}。`,

  "home.gone": ({ home }) =>
    `nanobot 运行期间，文件夹 ${home} 被删除或移走了。为了不丢失消息，新消息会被拒收。请把它放回原处，或者重启 nanobot，从空文件夹重新开始。`,
  "home.file-damaged": ({ reason }, { say }) =>
    `${say(reason)}如果有上一份可用的副本，就会用它。请改正这个文件；否则下次更改会把它保留为 .corrupt-1，再写一份新的。`,
  "home.file-unreadable": ({ reason }, { say }) => `${say(reason)}文件保持原样，nanobot 稍后会再试。`,
  "home.memory-sorted": ({ count }) =>
    `早期版本可能把一段对话的摘要存进了别人的记忆。发现 ${count} 条放错位置的摘要，已移到该对话所属的人或群组。记忆文件的旧版本以及这期间的回答里可能仍提到它们。`,
  "home.database-set-aside": ({ path }) =>
    `state.db 曾经损坏，现保留为 ${path}。能读出的内容已经转移，排队的消息优先；对话和记忆不在里面。不再需要时请删除这个文件。`,

  "move-in.no-home": ({ folder }) =>
    `${folder} 不是 OpenClaw 或 Hermes 的目录。请指定它的目录，例如 ~/.openclaw 或 ~/.hermes。`,
  "move-in.reading": "正在读取原有内容",
  "move-in.taking": "正在搬入",
  "move-in.ask-secrets": ({ count }) =>
    `要复制这 ${count} 个密钥或令牌吗？不复制的话，文字里的密钥会被去掉。`,
  "move-in.not-copied": "按你的决定，没有复制",
  "move-in.already-set": ({ present }) => `这里已经设为 ${present}`,
  "move-in.unknown-host": ({ host }, { program }) =>
    `这里没有模型服务商“${host}”；请用 ${program} onboard 选择一个`,
  "move-in.no-such-channel": "这里不支持这个聊天软件",
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
