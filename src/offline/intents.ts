// Everything the offline model understands, in the order in which it is tried. To teach it something, add a row.
import { connectingHelp, describeSelf, examples, joinSayings } from "./about.ts";
import type { Intent, Subject } from "./intent.ts";
import { scheduleIntents } from "./schedule-intents.ts";
import { tellCommand, tellFile, tellMemory, tellOutput, toInlineCode } from "./tell.ts";

const memoryFile = "memory/MEMORY.md";
const noteFile = "notes.md";
const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const self: Intent = {
  patterns: [
    /^(?:hi|hello|hey|yo|good (?:morning|afternoon|evening))(?: there| nanobot| again)?[\s!.,~]*$/i,
    /^(?:你好|您好|嗨|哈喽|哈啰|早|早上好|早安|上午好|下午好|晚上好)[呀啊哦]?[\s！!。，,~～]*$/,
    /^\/?(?:help|usage|examples?|commands?)(?: me)?$/i,
    /^what (?:can|do|could) (?:you|i) (?:do|say|ask)\b/i,
    /^how (?:do|does|can) (?:you|this|it|i) (?:work|use)\b/i,
    /^\/?(?:帮助|使用说明|怎么用|如何使用)$/,
    /^你?(?:能|会|可以)(?:做|干|帮我做)?(?:什么|啥|些什么|哪些)/,
    /^(?:who|what) (?:are|r) (?:you|u)\b/i,
    /^what(?:'s| is) your name\b/i,
    /^(?:what|which) model\b/i,
    /^are you (?:an? )?(?:real|ai|llm|gpt|chatgpt|claude|human|person|bot|robot|offline|online)\b/i,
    /^你(?:到底)?是(?:谁|什么|哪个|机器人|人|ai|真)/i,
    /^你叫(?:什么|啥)/,
    /(?:什么|哪个)模型$/,
  ],
  say: (_turn, version) => joinSayings(describeSelf(version), examples, connectingHelp),
};

const thanks: Intent = {
  patterns: [
    /^(?:many )?(?:thanks|thank you|thx|cheers)\b.{0,30}$/i,
    /^(?:great|nice|cool|ok|okay|good)[\s!.]*$/i,
    /^(?:多?谢谢?|感谢|非常感谢|辛苦了|好的?|太好了|不错)[你您了啦]?[\s！!。~～]*$/,
  ],
  say: () => ({ english: "You are welcome.", chinese: "不客气。" }),
};

const farewell: Intent = {
  patterns: [/^(?:bye|goodbye|good night|see you)\b.{0,20}$/i, /^(?:再见|拜拜|晚安|回头见)[\s！!。~～]*$/],
  say: () => ({ english: "Goodbye! Ctrl-D leaves the chat.", chinese: "再见！按 Ctrl-D 离开聊天。" }),
};

const connecting: Intent = {
  patterns: [
    /\b(?:connect|configure|set ?up|add|use|change|switch|choose)\b.{0,40}\b(?:model|api ?key|provider|ollama|openai|anthropic|claude|deepseek|gpt)\b/i,
    /(?:接入|连接|配置|设置|添加|使用|更换|切换|换).{0,15}(?:模型|密钥|api|ollama|openai|deepseek|服务商)/i,
  ],
  say: () => connectingHelp,
};

const time: Intent = {
  patterns: [
    /^(?:what(?:'s| is) )?(?:the )?(?:current |today's )?(?:time|date|day)(?: is it| today| now)*$/i,
    /^what (?:time|day|date) is (?:it|today)\b.{0,20}$/i,
    /^(?:现在|今天|当前)?(?:是)?(?:的)?(?:几点|几号|几月几[号日]|星期几|礼拜几|周几|什么时间|什么日期|日期|时间)(?:钟)?(?:了|是多少|是什么)?$/,
  ],
  say({ time }) {
    const inChinese = time.replace(
      new RegExp(days.join("|")),
      (day) => `星期${"日一二三四五六"[days.indexOf(day)]}`,
    );
    return { english: `It is ${time}.`, chinese: `现在是 ${inChinese}。` };
  },
};

const run: Intent = {
  patterns: [
    /^[$!]\s*(?<raw>.+)$/,
    /^(?:run|exec|execute)(?: the)?(?: command)?[:\s]+(?<command>.+)$/i,
    /^(?:运行|执行|跑)(?:一?下)?(?:命令)?[：:\s]*(?<command>.+)$/,
  ],
  take: ({ raw, command = "" }) => toSubject("command", raw ?? findCommand(command)),
  call: ({ command }) => ({ name: "exec", arguments: { command } }),
  tell(result, { command = "" }) {
    const shown = toInlineCode(command);
    return tellCommand(result, { english: `${shown} says:`, chinese: `${shown} 的输出：` });
  },
};

const recall: Intent = {
  patterns: [
    /^what (?:do|can|did) you (?:remember|know|recall)\b.{0,30}$/i,
    /^(?:show|read)(?: me)? (?:your|my|the) memor(?:y|ies)$/i,
    /^(?:who am i|what(?:'s| is) my name|do you (?:remember|know) me)$/i,
    /^你?(?:还|都)?(?:记得|知道|记住了?|记了)(?:我的?|关于我的?)?(?:什么|哪些|些什么|多少).{0,6}$/,
    /^我(?:是谁|叫什么).{0,4}$/,
  ],
  call: () => ({ name: "read_file", arguments: { path: memoryFile } }),
  tell: (result) => tellMemory(result, memoryFile),
};

const remember: Intent = {
  patterns: [
    /^(?:remember|don't forget|do not forget|keep in mind)(?: this| that)?[:,]?\s+(?<fact>[\s\S]*[^?？])$/i,
    /^(?:记住|记下来?|记得|别忘了?|不要忘记)(?:一?下)?(?:这个|这件事)?[：:，,\s]*(?<fact>(?!什么|哪些)[\s\S]*[^?？])$/,
  ],
  longest: 20_000,
  isVerbatim: true,
  take: ({ fact = "" }) => toSubject("line", toListItem(fact)),
  add: ({ line = "" }) => ({
    path: memoryFile,
    line,
    heading: "# Long-term Memory",
    done: {
      english: `I have written that into \`${memoryFile}\`.`,
      chinese: `已经记到 \`${memoryFile}\` 里了。`,
    },
  }),
};

const note: Intent = {
  patterns: [
    /^(?:write|make|take|add|save|create)(?: me)?(?: a| this)? note(?: that| saying| about)?[:,]?\s+(?<words>[\s\S]+)$/i,
    /^note(?: that| to self)?[:,]\s*(?<words>[\s\S]+)$/i,
    /^(?:write|save|put|add|append)\s+(?<words>[\s\S]+?)\s(?:to|into|in)\s+(?:the )?(?:file )?(?<path>"[^"]+"|\S+)$/i,
    /^create (?:a |the )?file (?:called |named )?(?<path>"[^"]+"|\S+) (?:with|containing|saying)(?: the)?(?: (?:text|content))?:?\s+(?<words>[\s\S]+)$/i,
    /^(?:写|记|做|加|添加|新建|创建)(?:一?[个条篇则])?(?:笔记|便签|备忘录?)[：:，,\s]*(?<words>[\s\S]+)$/,
    /^把(?<words>[\s\S]+?)(?:写到|写入|写进|保存到|存到|存进|记到|加到|追加到)(?:文件)?\s*(?<path>\S+?)\s*(?:里|中|文件)?$/,
    /^(?:新建|创建|写)文件\s*(?<path>“[^”]+”|[^\s，,：:]+)[，,\s]*(?:内容(?:为|是)?|写上?)[：:\s]*(?<words>[\s\S]+)$/,
  ],
  longest: 4000,
  isVerbatim: true,
  take({ words = "", path }) {
    const file = path === undefined ? noteFile : findPath(path);
    const line = path === undefined ? toListItem(words) : unquote(words);
    return file === undefined || line === undefined || line === "" ? undefined : { path: file, line };
  },
  add({ path = "", line = "" }) {
    const shown = toInlineCode(path);
    const done = {
      english: `Done: it is at the end of ${shown}.`,
      chinese: `好了，已经写在 ${shown} 的末尾。`,
    };
    return { path, line, done, ...(path === noteFile && { heading: "# Notes" }) };
  },
};

const findFiles: Intent = {
  patterns: [
    /^find(?: me)?(?: all)?(?: the| my)? files?(?: called| named| like| matching)? (?<name>\S.*)$/i,
    /^(?:glob|where is) (?<name>\S*[*.]\S*)$/i,
    /^find (?<name>\S*[*.]\S*)$/i,
    /^(?:查找|搜索|寻找|找)(?:一?下)?(?:所有|名为|叫)?(?:的)?文件[：:\s]*(?<name>\S.*)$/,
    /^(?:查找|搜索|找)\s*(?<name>\S*\*\S*)(?:文件)?$/,
  ],
  take: ({ name = "" }) => toSubject("pattern", toGlob(unquote(name))),
  call: ({ pattern }) => ({ name: "glob", arguments: { pattern } }),
  tell(result, { pattern = "" }) {
    const shown = toInlineCode(pattern);
    return tellOutput(result, { english: `Files that match ${shown}:`, chinese: `符合 ${shown} 的文件：` });
  },
};

const search: Intent = {
  patterns: [
    /^(?:search|grep|look)(?: (?:my|the|all|in))*(?: files| notes| workspace)? for (?<words>.+?)(?: in (?:the |my )?(?:folder |directory )?(?<place>\S+))?$/i,
    /^grep (?<words>.+?)(?: in (?<place>\S+))?$/i,
    /^(?:search|find) (?<words>["'`“].+["'`”])(?: in (?:the |my )?(?<place>.+))?$/i,
    /^在\s*(?<place>\S+?)\s*(?:目录|文件夹|文件)?(?:里面?|中|下)?(?:搜索|查找|搜|找)(?:一?下)?[：:\s]*(?<words>.+)$/,
    /^(?:搜索|查找|搜|搜一?下|找一?下)(?:一?下)?[：:\s]*(?<words>.+)$/,
  ],
  take({ words = "", place }) {
    const wanted = findQuoted(words) ?? words.trim();
    if (wanted === "" || /^(?:the )?(?:web|internet)|^(?:网上|网络|互联网)/i.test(place ?? wanted))
      return undefined;
    const isEverywhere = place === undefined || /^(?:my |the |all )*(?:files?|文件)$/i.test(place);
    return { words: wanted, path: isEverywhere ? "." : (findFolder(place) ?? findPath(place) ?? ".") };
  },
  call: ({ words = "", path }) => ({
    name: "grep",
    arguments: { pattern: toPattern(words), path, output_mode: "content" },
  }),
  tell(result, { words = "" }) {
    const shown = toInlineCode(words);
    return tellOutput(result, { english: `What I found for ${shown}:`, chinese: `搜索 ${shown} 的结果：` });
  },
};

const list: Intent = {
  patterns: [
    /^(?:ls|dir)(?:\s+(?<place>.*))?$/i,
    /^(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my)? (?:files|folders?|director(?:y|ies)|contents|workspace)(?: (?:in|of|under|inside))?(?<place>.*)$/i,
    /^(?:what|which)(?:'s| is| are| files are| files do i have)?(?: there)? (?:in|inside)(?<place>.*)$/i,
    /^what files are there$/i,
    /^list (?<place>\S+)$/i,
    /^(?:列出|列一?下|看看|看一?下|查看|显示)?(?:一?下)?(?<place>.*?)(?:目录|文件夹|工作区)(?:里面?|下面?|中|内)?的?(?:都?有)?(?:什么|哪些|所有|全部)?(?:文件|内容|东西)?$/,
    /^(?:列出|列一?下|看看|显示)(?:所有|全部)?的?文件$/,
    /^(?:这里|现在)?都?有(?:什么|哪些)文件$/,
  ],
  take: ({ place = "" }) => toSubject("path", findFolder(place)),
  call: ({ path }) => ({ name: "list_dir", arguments: { path } }),
  tell(result, { path = "." }) {
    const shown = path === "." ? undefined : toInlineCode(path);
    const heading = { english: `In ${shown ?? "the workspace"}:`, chinese: `${shown ?? "工作区"}里有：` };
    return tellOutput(result, heading);
  },
};

const read: Intent = {
  patterns: [
    /^(?:read|open|show|cat|print|display|view)(?: me)?(?: the| my)?(?: contents? of)?(?: the)? file (?<name>\S+)$/i,
    /^(?:read|open|show|cat|print|display|view)(?: me)?(?: the| my)?(?: contents? of)?(?: the)?(?: file)? (?<path>.+)$/i,
    /^what(?:'s| is| does)\b.{0,20}? in (?<path>.+)$/i,
    /^(?:读取?|阅读|打开|查看|看看|看|显示)(?:一?下)?文件[：:\s]*(?<name>\S+?)(?:的内容)?$/,
    /^(?:读取?|阅读|打开|查看|看看|看|显示)(?:一?下)?(?<path>.+)$/,
  ],
  take: ({ name, path = "" }) => toSubject("path", name === undefined ? findPath(path) : unquote(name)),
  call: ({ path }) => ({ name: "read_file", arguments: { path } }),
  tell: (result, { path = "" }) => tellFile(result, path),
};

export const intents: readonly Intent[] = [
  self,
  ...scheduleIntents,
  thanks,
  farewell,
  time,
  run,
  recall,
  remember,
  note,
  findFiles,
  search,
  list,
  read,
  connecting,
];

function toSubject(name: string, value: string | undefined): Subject | undefined {
  return value === undefined || value === "" ? undefined : { [name]: value };
}

/** Each an opening and a closing mark. */
const quotes = ["``", '""', "“”", "「」", "《》", "''", "‘’"];

/** The text in the outermost quotes, if the text begins or is enclosed with them. */
function findQuoted(text: string): string | undefined {
  const trimmed = text.trim();
  for (const [open = "", close = ""] of quotes) {
    const start = trimmed.indexOf(open);
    const end = trimmed.lastIndexOf(close);
    const isOpening =
      start === 0 || (start > 0 && /[\s:：，,]|\p{Script=Han}/u.test(trimmed[start - 1] ?? ""));
    if (isOpening && end > start + 1) return trimmed.slice(start + 1, end);
  }
  return undefined;
}

export function unquote(text: string): string {
  const trimmed = text.trim();
  const isQuoted = quotes.some(
    ([open = "", close = ""]) => trimmed.startsWith(open) && trimmed.endsWith(close),
  );
  return isQuoted && trimmed.length > 2 ? trimmed.slice(1, -1).trim() : trimmed;
}

const separators = "\\s，。！？、；：“”‘’「」（）()\"'`";
const fileName = new RegExp(
  `^(?:文件|名为|叫)?([^${separators}]{1,200}?\\.[A-Za-z0-9]{1,8})(?![A-Za-z0-9.])`,
);
const asciiPath = /(?<![\w./~-])(?:[\w.~-]*\/[\w./~-]*|[\w-]+\.[A-Za-z0-9]{1,8})(?![\w/])/;

/** In quotes, or recognisable by an ending or a slash; "weather" is not one. */
function findPath(text: string): string | undefined {
  const trimmed = text.trim();
  return findQuoted(trimmed) ?? fileName.exec(trimmed)?.[1] ?? asciiPath.exec(trimmed)?.[0];
}

/** A folder may have any name; none is the workspace itself. */
export function findFolder(text: string): string | undefined {
  const words = text.replaceAll(
    /(?:当前|这个|我的|工作区?|的|\b(?:the|this|my|current|workspace|here|folder|directory)\b)/gi,
    " ",
  );
  const quoted = findQuoted(text);
  if (quoted !== undefined) return quoted;
  const [folder = ".", ...rest] = words.trim().split(/\s+/).filter(Boolean);
  return rest.length === 0 && !/\.[A-Za-z]{1,5}$/.test(folder) ? folder : undefined;
}

const harmless =
  /^(?:ls|cat|pwd|date|wc|whoami|uname|hostname|uptime|df|du|head|tail|echo|id|git|which|env|node|npm|python3?|cal|tree|stat|file)(?=\s|$)/;

/** In quotes it may be any command (the guards judge it); in bare words only one that can hardly be anything else. */
function findCommand(text: string): string | undefined {
  const trimmed = text.trim();
  return /^`([^`]+)`/.exec(trimmed)?.[1] ?? (harmless.test(trimmed) ? trimmed : undefined);
}

/** One item of a Markdown list, its further lines indented. */
function toListItem(words: string): string | undefined {
  const text = unquote(words);
  return text === "" ? undefined : `- ${text.replaceAll(/\r?\n/g, "\n  ")}`;
}

/** A pattern that finds the words as they are written. */
function toPattern(words: string): string {
  return words.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function toGlob(name: string): string {
  return /[*?[{]/.test(name) ? name : `**/*${name}*`;
}
