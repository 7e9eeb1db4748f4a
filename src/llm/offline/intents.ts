// Everything the offline model understands, in the order in which it is tried. To teach it something, add a row.
import { connectingHelp, describeSelf, examples, joinSayings } from "./about.ts";
import { nextAppendCall, toLines } from "./append.ts";
import { evaluateSum, formatNumber } from "./arithmetic.ts";
import {
  findCommand,
  findFolder,
  findPath,
  findQuoted,
  toGlob,
  toPattern,
  unquote,
} from "./find-argument.ts";
import type { Call, Intent, Saying, Subject } from "./intent.ts";
import {
  hasRun,
  tellBlock,
  tellCommand,
  tellFailure,
  tellFile,
  tellNothing,
  tellOutput,
  toInlineCode,
} from "./tell.ts";
import type { Turn } from "./turn.ts";

const memoryFile = "memory/MEMORY.md";
const noteFile = "notes.md";

const greeting: Intent = {
  english: [/^(?:hi|hello|hey|yo|good (?:morning|afternoon|evening))(?: there| nanobot| again)?[\s!.,~]*$/i],
  chinese: [/^(?:你好|您好|嗨|哈喽|哈啰|早|早上好|早安|上午好|下午好|晚上好)[呀啊哦]?[\s！!。，,~～]*$/],
  tell: (_subject, _turn, version) =>
    joinSayings({ english: "Hello!", chinese: "你好！" }, describeSelf(version), examples, connectingHelp),
};

const thanks: Intent = {
  english: [
    /^(?:many )?(?:thanks|thank you|thx|cheers)\b.{0,30}$/i,
    /^(?:great|nice|cool|ok|okay|good)[\s!.]*$/i,
  ],
  chinese: [/^(?:多?谢谢?|感谢|非常感谢|辛苦了|好的?|太好了|不错)[你您了啦]?[\s！!。~～]*$/],
  tell: () => ({ english: "You are welcome.", chinese: "不客气。" }),
};

const farewell: Intent = {
  english: [/^(?:bye|goodbye|good night|see you)\b.{0,20}$/i],
  chinese: [/^(?:再见|拜拜|晚安|回头见)[\s！!。~～]*$/],
  tell: () => ({ english: "Goodbye! Ctrl-D leaves the chat.", chinese: "再见！按 Ctrl-D 离开聊天。" }),
};

const identity: Intent = {
  english: [
    /^(?:who|what) (?:are|r) (?:you|u)\b/i,
    /^what(?:'s| is) your name\b/i,
    /^(?:what|which) model\b/i,
    /^are you (?:an? )?(?:real|ai|llm|gpt|chatgpt|claude|human|person|bot|robot|offline|online)\b/i,
  ],
  chinese: [/^你(?:到底)?是(?:谁|什么|哪个|机器人|人|ai|真)/i, /^你叫(?:什么|啥)/, /(?:什么|哪个)模型$/],
  tell: (_subject, _turn, version) => joinSayings(describeSelf(version), connectingHelp),
};

const help: Intent = {
  english: [
    /^\/?(?:help|usage|examples?|commands?)(?: me)?$/i,
    /^what (?:can|do|could) (?:you|i) (?:do|say|ask)\b/i,
    /^how (?:do|does|can) (?:you|this|it|i) (?:work|use)\b/i,
  ],
  chinese: [
    /^\/?(?:帮助|使用说明|怎么用|如何使用)$/,
    /^你?(?:能|会|可以)(?:做|干|帮我做)?(?:什么|啥|些什么|哪些)/,
  ],
  tell: (_subject, _turn, version) => joinSayings(describeSelf(version), examples, connectingHelp),
};

const connecting: Intent = {
  english: [
    /\b(?:connect|configure|set ?up|add|use|change|switch|choose)\b.{0,40}\b(?:model|api ?key|provider|ollama|openai|anthropic|claude|deepseek|gpt)\b/i,
  ],
  chinese: [
    /(?:接入|连接|配置|设置|添加|使用|更换|切换|换).{0,15}(?:模型|密钥|api|ollama|openai|deepseek|服务商)/i,
  ],
  tell: () => connectingHelp,
};

const sum: Intent = {
  english: [],
  chinese: [],
  either: [/^(?<sum>[\s\S]+)$/],
  take: ({ sum = "" }) => {
    const value = evaluateSum(sum);
    return value === undefined ? undefined : { value: String(value) };
  },
  tell: ({ value }) => {
    const number = Number(value);
    if (!Number.isFinite(number)) return { english: "That has no value.", chinese: "这个算式没有结果。" };
    return { english: `${formatNumber(number)}`, chinese: `${formatNumber(number)}` };
  },
};

const weekdays: Record<string, string> = {
  Monday: "星期一",
  Tuesday: "星期二",
  Wednesday: "星期三",
  Thursday: "星期四",
  Friday: "星期五",
  Saturday: "星期六",
  Sunday: "星期日",
};

const time: Intent = {
  english: [
    /^(?:what(?:'s| is) )?(?:the )?(?:current |today's )?(?:time|date|day)(?: is it| today| now)*$/i,
    /^what (?:time|day|date) is (?:it|today)\b.{0,20}$/i,
  ],
  chinese: [
    /^(?:现在|今天|当前)?(?:是)?(?:的)?(?:几点|几号|几月几[号日]|星期几|礼拜几|周几|什么时间|什么日期|日期|时间)(?:钟)?(?:了|是多少|是什么)?$/,
  ],
  next: (_subject, { time, results }) =>
    time === undefined && results.length === 0 ? { name: "exec", arguments: { command: "date" } } : undefined,
  tell: (_subject, { time, results }) => {
    const [result] = results;
    if (time === undefined && (result === undefined || !hasRun(result))) {
      return result === undefined ? tellNothing : tellFailure(result);
    }
    const shown = time ?? result?.text.split("\n")[0] ?? "";
    const inChinese = shown.replace(/\b[A-Z][a-z]+day\b/, (day) => weekdays[day] ?? day);
    return { english: `It is ${shown}.`, chinese: `现在是 ${inChinese}。` };
  },
};

const run: Intent = {
  english: [/^(?:run|exec|execute)(?: the)?(?: command)?[:\s]+(?<command>.+)$/i],
  chinese: [/^(?:运行|执行|跑)(?:一?下)?(?:命令)?[：:\s]*(?<command>.+)$/],
  either: [/^[$!]\s*(?<raw>.+)$/],
  take: ({ raw, command = "" }) => toSubject("command", raw ?? findCommand(command)),
  next: ({ command }, turn) => once(turn, "exec", { command }),
  tell: ({ command = "" }, { results }) => {
    const result = results.at(-1);
    const shown = toInlineCode(command);
    if (result === undefined) return tellNothing;
    return tellCommand(result, { english: `${shown} says:`, chinese: `${shown} 的输出：` });
  },
};

const remember: Intent = {
  english: [
    /^(?:remember|don't forget|do not forget|keep in mind)(?: this| that)?[:,]?\s+(?<fact>[\s\S]*[^?？])$/i,
  ],
  chinese: [
    /^(?:记住|记下来?|记得|别忘了?|不要忘记)(?:一?下)?(?:这个|这件事)?[：:，,\s]*(?<fact>(?!什么|哪些)[\s\S]*[^?？])$/,
  ],
  longest: 20_000,
  isVerbatim: true,
  take: ({ fact = "" }) => toSubject("line", toListItem(fact)),
  next: ({ line = "" }, { results }) =>
    nextAppendCall({ path: memoryFile, line, heading: "# Long-term Memory" }, results),
  tell: ({ line = "" }, turn) =>
    tellAppended(line, turn, {
      english: `I have written that into \`${memoryFile}\`.`,
      chinese: `已经记到 \`${memoryFile}\` 里了。`,
    }),
};

const recall: Intent = {
  english: [
    /^what (?:do|can|did) you (?:remember|know|recall)\b.{0,30}$/i,
    /^(?:show|read)(?: me)? (?:your|my|the) memor(?:y|ies)$/i,
    /^(?:who am i|what(?:'s| is) my name|do you (?:remember|know) me)$/i,
  ],
  chinese: [
    /^你?(?:还|都)?(?:记得|知道|记住了?|记了)(?:我的?|关于我的?)?(?:什么|哪些|些什么|多少).{0,6}$/,
    /^我(?:是谁|叫什么).{0,4}$/,
  ],
  next: (_subject, turn) => once(turn, "read_file", { path: memoryFile }),
  tell: (_subject, { results }) => {
    const [result] = results;
    if (result === undefined) return tellNothing;
    const lines = toLines(result.text);
    if (lines.length === 0 && !/not found|empty/i.test(result.text)) return tellFailure(result);
    const facts = lines.filter((line) => !/^\s*(#.*)?$/.test(line));
    if (facts.length === 0) return { english: "Nothing yet.", chinese: "还什么都没有记。" };
    const heading = { english: `From \`${memoryFile}\`:`, chinese: `来自 \`${memoryFile}\`：` };
    return tellBlock(facts.join("\n"), heading);
  },
};

const note: Intent = {
  english: [
    /^(?:write|make|take|add|save|create)(?: me)?(?: a| this)? note(?: that| saying| about)?[:,]?\s+(?<words>[\s\S]+)$/i,
    /^note(?: that| to self)?[:,]\s*(?<words>[\s\S]+)$/i,
    /^(?:write|save|put|add|append)\s+(?<words>[\s\S]+?)\s(?:to|into|in)\s+(?:the )?(?:file )?(?<path>"[^"]+"|\S+)$/i,
    /^create (?:a |the )?file (?:called |named )?(?<path>"[^"]+"|\S+) (?:with|containing|saying)(?: the)?(?: (?:text|content))?:?\s+(?<words>[\s\S]+)$/i,
  ],
  chinese: [
    /^(?:写|记|做|加|添加|新建|创建)(?:一?[个条篇则])?(?:笔记|便签|备忘录?)[：:，,\s]*(?<words>[\s\S]+)$/,
    /^把(?<words>[\s\S]+?)(?:写到|写入|写进|保存到|存到|存进|记到|加到|追加到)(?:文件)?\s*(?<path>\S+?)\s*(?:里|中|文件)?$/,
    /^(?:新建|创建|写)文件\s*(?<path>“[^”]+”|[^\s，,：:]+)[，,\s]*(?:内容(?:为|是)?|写上?)[：:\s]*(?<words>[\s\S]+)$/,
  ],
  longest: 4000,
  isVerbatim: true,
  take: ({ words = "", path }) => {
    const file = path === undefined ? noteFile : findPath(path);
    const line = path === undefined ? toListItem(words) : unquote(words);
    return file === undefined || line === undefined || line === "" ? undefined : { path: file, line };
  },
  next: ({ path = "", line = "" }, { results }) =>
    nextAppendCall({ path, line, ...(path === noteFile && { heading: "# Notes" }) }, results),
  tell: ({ path = "", line = "" }, turn) => {
    const shown = toInlineCode(path);
    return tellAppended(line, turn, {
      english: `Done: it is at the end of ${shown}.`,
      chinese: `好了，已经写在 ${shown} 的末尾。`,
    });
  },
};

const findFiles: Intent = {
  english: [
    /^find(?: me)?(?: all)?(?: the| my)? files?(?: called| named| like| matching)? (?<name>\S.*)$/i,
    /^(?:glob|where is) (?<name>\S*[*.]\S*)$/i,
    /^find (?<name>\S*[*.]\S*)$/i,
  ],
  chinese: [
    /^(?:查找|搜索|寻找|找)(?:一?下)?(?:所有|名为|叫)?(?:的)?文件[：:\s]*(?<name>\S.*)$/,
    /^(?:查找|搜索|找)\s*(?<name>\S*\*\S*)(?:文件)?$/,
  ],
  take: ({ name = "" }) => toSubject("pattern", toGlob(unquote(name))),
  next: ({ pattern }, turn) => once(turn, "glob", { pattern }),
  tell: ({ pattern = "" }, turn) => {
    const shown = toInlineCode(pattern);
    return tellLast(turn, { english: `Files that match ${shown}:`, chinese: `符合 ${shown} 的文件：` });
  },
};

const search: Intent = {
  english: [
    /^(?:search|grep|look)(?: (?:my|the|all|in))*(?: files| notes| workspace)? for (?<words>.+?)(?: in (?:the |my )?(?:folder |directory )?(?<place>\S+))?$/i,
    /^grep (?<words>.+?)(?: in (?<place>\S+))?$/i,
    /^(?:search|find) (?<words>["'`“].+["'`”])(?: in (?:the |my )?(?<place>.+))?$/i,
  ],
  chinese: [
    /^在\s*(?<place>\S+?)\s*(?:目录|文件夹|文件)?(?:里面?|中|下)?(?:搜索|查找|搜|找)(?:一?下)?[：:\s]*(?<words>.+)$/,
    /^(?:搜索|查找|搜|搜一?下|找一?下)(?:一?下)?[：:\s]*(?<words>.+)$/,
  ],
  take: ({ words = "", place }) => {
    const wanted = findQuoted(words) ?? words.trim();
    if (wanted === "" || /^(?:the )?(?:web|internet)|^(?:网上|网络|互联网)/i.test(place ?? wanted))
      return undefined;
    const isEverywhere = place === undefined || /^(?:my |the |all )*(?:files?|文件)$/i.test(place);
    return { words: wanted, path: isEverywhere ? "." : (findFolder(place) ?? findPath(place) ?? ".") };
  },
  next: ({ words = "", path }, turn) =>
    once(turn, "grep", { pattern: toPattern(words), path, output_mode: "content" }),
  tell: ({ words = "" }, turn) => {
    const shown = toInlineCode(words);
    return tellLast(turn, { english: `What I found for ${shown}:`, chinese: `搜索 ${shown} 的结果：` });
  },
};

const list: Intent = {
  english: [
    /^(?:ls|dir)(?:\s+(?<place>.*))?$/i,
    /^(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my)? (?:files|folders?|director(?:y|ies)|contents|workspace)(?: (?:in|of|under|inside))?(?<place>.*)$/i,
    /^(?:what|which)(?:'s| is| are| files are| files do i have)?(?: there)? (?:in|inside)(?<place>.*)$/i,
    /^what files are there$/i,
    /^list (?<place>\S+)$/i,
  ],
  chinese: [
    /^(?:列出|列一?下|看看|看一?下|查看|显示)?(?:一?下)?(?<place>.*?)(?:目录|文件夹|工作区)(?:里面?|下面?|中|内)?的?(?:都?有)?(?:什么|哪些|所有|全部)?(?:文件|内容|东西)?$/,
    /^(?:列出|列一?下|看看|显示)(?:所有|全部)?的?文件$/,
    /^(?:这里|现在)?都?有(?:什么|哪些)文件$/,
  ],
  take: ({ place = "" }) => toSubject("path", findFolder(place)),
  next: ({ path }, turn) => once(turn, "list_dir", { path }),
  tell: ({ path = "." }, turn) => {
    const shown = path === "." ? undefined : toInlineCode(path);
    const heading = { english: `In ${shown ?? "the workspace"}:`, chinese: `${shown ?? "工作区"}里有：` };
    return tellLast(turn, heading);
  },
};

const read: Intent = {
  english: [
    /^(?:read|open|show|cat|print|display|view)(?: me)?(?: the| my)?(?: contents? of)?(?: the)? file (?<name>\S+)$/i,
    /^(?:read|open|show|cat|print|display|view)(?: me)?(?: the| my)?(?: contents? of)?(?: the)?(?: file)? (?<path>.+)$/i,
    /^what(?:'s| is| does)\b.{0,20}? in (?<path>.+)$/i,
  ],
  chinese: [
    /^(?:读取?|阅读|打开|查看|看看|看|显示)(?:一?下)?文件[：:\s]*(?<name>\S+?)(?:的内容)?$/,
    /^(?:读取?|阅读|打开|查看|看看|看|显示)(?:一?下)?(?<path>.+)$/,
  ],
  take: ({ name, path = "" }) => toSubject("path", name === undefined ? findPath(path) : unquote(name)),
  next: ({ path }, turn) => once(turn, "read_file", { path }),
  tell: ({ path = "" }, { results }) => tellFile(path, results),
};

export const intents: readonly Intent[] = [
  greeting,
  thanks,
  farewell,
  help,
  identity,
  time,
  sum,
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

function once({ results }: Turn, name: string, args: Record<string, unknown>): Call | undefined {
  return results.length === 0 ? { name, arguments: args } : undefined;
}

function toSubject(name: string, value: string | undefined): Subject | undefined {
  return value === undefined || value === "" ? undefined : { [name]: value };
}

/** One item of a Markdown list, its further lines indented. */
function toListItem(words: string): string | undefined {
  const text = unquote(words);
  return text === "" ? undefined : `- ${text.replaceAll(/\r?\n/g, "\n  ")}`;
}

function tellLast({ results }: Turn, heading: Saying): Saying {
  const result = results.at(-1);
  return result === undefined ? tellNothing : tellOutput(result, heading);
}

function tellAppended(line: string, { results }: Turn, done: Saying): Saying {
  const result = results.at(-1);
  if (result === undefined) return tellNothing;
  if (result.name === "edit_file" && /^(?:Edited|Created|Successfully)/.test(result.text)) return done;
  const isKnown = toLines(result.text).some((known) => known.trim() === line);
  return isKnown
    ? { english: "That is already written there.", chinese: "那里已经记着了。" }
    : tellFailure(result);
}
