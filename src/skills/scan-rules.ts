// What should not be in a skill, as a table: English and Chinese, sentences and commands. Written so that everyday
// skills pass: calling an API with a key, asking before deleting, or piping a download into jq is nothing to report.
// Every span is bounded, so that no text can make a pattern slow.
export type FindingRule =
  | "encoded-payload"
  | "download-to-shell"
  | "hides-actions"
  | "sends-secrets"
  | "paste-site"
  | "prompt-override"
  | "runs-hidden-file"
  | "locked-archive"
  | "run-first"
  | "invisible-text"
  /** A file that could not be looked into. */
  | "unscanned"
  /** A link out of the skill's folder. */
  | "leads-outside";

export interface ScanRule {
  name: FindingRule;
  /** Sentences run over the ends of lines, commands do not. */
  kind: "sentence" | "command";
  /** Sources of regular expressions. */
  patterns: string[];
}

const shell = String.raw`(?:sudo\s+(?:-\w+\s+){0,3})?(?:env\s+)?(?:\/[\w/]{1,40}\/)?(?:ba|z|da|k|a|fi)?sh\b`;
/** Only where it reads its program from the pipe: \`python3 -m json.tool\` and \`node -e\` have one of their own. */
const interpreter = String.raw`(?:sudo\s+)?(?:python[23]?|perl|ruby|node|php)(?:\s+-(?=\s|$)|\s*(?=$|[;&|"'\x60)\n]))`;
const runner = `(?:${shell}|${interpreter})`;
const download = String.raw`\b(?:curl|wget|aria2c|fetch)\s+[^\n|;]{2,300}`;
const fromNet = String.raw`(?:irm|iwr|Invoke-WebRequest|Invoke-RestMethod|DownloadString|Net\.WebClient)`;
const invoke = String.raw`(?:iex|Invoke-Expression)\b`;
const decoder = String.raw`(?:base64\s+(?:-d|-D|--decode|-di)\b|xxd\s+-r|openssl\s+(?:enc|base64)\s+[^\n|]{0,40}-d\b|base32\s+(?:-d|--decode))`;

/** After a verb: forbidding something is no request for it, but "don't forget to" is one. */
const forbidden = String.raw`(?<!(?:\bnever|\bnot|n't|\bavoid)\s+(?:ever\s+|[\w-]{2,20}(?:,|\s+or)\s+){0,3}[\w-]{2,20})`;
const forbiddenChinese = "(?<!(?:不要|禁止|切勿|请勿|不得|绝不|不能|不可|严禁|避免)[^。，\\n]{0,6})";
const person = String.raw`(?:the\s+|your\s+)?(?:user|owner|human|person|operator)s?`;
const personChinese = "(?:用户|使用者|主人|人类)";
const secrets = String.raw`(?:(?:api|access|private|ssh|secret|encryption)[\s_-]?keys|private\s+key|ssh\s+key|id_rsa|id_ed25519|\.ssh\b|\.env\b|\.aws\b|passwords|credentials|secrets|cookies|environment\s+variables|seed\s+phrases?|wallet|(?:chat|conversation)\s+(?:history|log)s?|MEMORY\.md|USER\.md|(?:user'?s|owner'?s|all|every|any)\s+(?:\w+\s+){0,2}(?:keys?|tokens?|passwords?|secrets?|credentials?))`;
const secretsChinese =
  "(?:密钥|密码|私钥|口令|凭据|凭证|环境变量|聊天记录|对话记录|助记词|id_rsa|\\.ssh|\\.env)";
const outside = String.raw`(?:https?:\/\/(?!localhost|127\.)|(?:this|the\s+following|our|my|an?\s+(?:external|remote|attacker\S*))\s+(?:url|server|webhook|endpoint|address|site|e-?mail|bot|channel)\b|a\s+webhook\b|[\w.+-]{1,60}@[\w-]{1,60}\.)`;
const secretFiles = String.raw`(?:\.ssh\/|id_rsa|id_ed25519|\.aws\/|\.netrc|\.gnupg|\.git-credentials|\.nanobot\/|(?<![\w.])\.env\b|\/etc\/(?:passwd|shadow)|MEMORY\.md|USER\.md)`;
const uploader = String.raw`\b(?:curl|wget|nc|ncat|netcat|scp|rsync|socat)\b`;

const pasteSites = [
  "pastebin.com pastebin.pl paste.ee paste.rs hastebin.com ghostbin.com rentry.co rentry.org dpaste.com dpaste.org",
  "ix.io sprunge.us termbin.com 0x0.st transfer.sh file.io anonfiles.com gofile.io catbox.moe controlc.com glot.io",
  "justpaste.it privatebin.net pastes.io pastebin.ai webhook.site requestbin.com requestcatcher.com pipedream.net",
  "beeceptor.com interact.sh oast.fun oast.pro oast.live burpcollaborator.net",
]
  .flatMap((line) => line.split(" "))
  .map((host) => host.replaceAll(".", String.raw`\.`))
  .join("|");

export const scanRules: readonly ScanRule[] = [
  {
    name: "encoded-payload",
    kind: "command",
    patterns: [
      String.raw`${decoder}[^\n;]{0,200}\|\s*${runner}`,
      String.raw`\bprintf\s+['"]?(?:\\x[0-9a-f]{2}){8}[^\n]{0,2000}\|\s*${runner}`,
      String.raw`\b(?:eval|exec|source|${shell}(?:\s+-c)?)\s*["'(]?\s*[$<]\([^\n]{0,400}${decoder}`,
      String.raw`\b(?:eval|exec|Function)\s*\([^\n]{0,120}(?:\batob\(|b64decode|unhexlify|bytes\.fromhex|marshal\.loads|Buffer\.from\([^\n]{1,2000}['"](?:base64|hex)['"])`,
      String.raw`\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,120}\s-e(?:nc?|ncodedcommand)?\s+[a-z0-9+/=]{20}`,
      String.raw`${invoke}[^\n]{0,200}FromBase64String|FromBase64String[^\n]{0,2000}${invoke}`,
    ],
  },
  {
    name: "download-to-shell",
    kind: "command",
    patterns: [
      String.raw`${download}\|(?:[^\n;]{0,120}\|)?\s*${runner}`,
      String.raw`\b(?:eval|source|${shell}(?:\s+-c)?)\s*["']?\s*(?:[$<]\(|\x60)\s*(?:sudo\s+)?(?:curl|wget)\b`,
      String.raw`${download}(?:&&|;)\s*${shell}\s+\S`,
      String.raw`${fromNet}[^\n]{0,300}\|\s*${invoke}|${invoke}[^\n]{0,60}${fromNet}`,
      String.raw`\b(?:exec|eval)\s*\(\s*(?:requests\.get|urllib|urlopen|await\s+\(?\s*await\s+fetch)`,
    ],
  },
  {
    name: "hides-actions",
    kind: "sentence",
    patterns: [
      String.raw`\b(?:do\s+not|don'?t|never)\s+(?:tell|inform|notify|alert|warn)\s+${person}\s+(?:about|of|anything|that\s+you\s+(?:\w+\s+)?(?:ran|run|sent|send|read|did|do|copied|uploaded|executed|accessed|installed))\b`,
      String.raw`\b(?:do\s+not|don'?t|never)\s+(?:mention|reveal|disclose|report|show|display|log)\s+(?:this|these|any\s+of\s+(?:this|these))\s+(?:\w+\s+)?(?:step|instruction|action|command|rule|section|request|behaviou?r|upload|transfer)s?\b`,
      String.raw`\b(?:send|upload|post|forward|copy|run|execute|install|delete|read|collect|do|perform)\b${forbidden}[^.\n]{0,80}\bwithout\s+(?:${person}(?:'s)?\s+(?:knowing|noticing|knowledge|awareness)|(?:telling|informing|notifying|alerting)\s+${person})`,
      String.raw`\b(?:hide|conceal)\s+(?:this|these|it|that\s+you|the\s+fact|your\s+(?:actions?|steps?|activity|tracks))\b[^.\n]{0,60}\bfrom\s+${person}`,
      String.raw`\bkeep\s+(?:this|it|these\s+\w+)\s+(?:secret|hidden|quiet)\s+from\s+${person}`,
      String.raw`\b(?:(?:silently|quietly)\s+(?:send|upload|exfiltrate|forward|transmit|e-?mail)|(?:secretly|covertly|stealthily)\s+(?:send|upload|post|exfiltrate|forward|transmit|collect|copy|e-?mail|read|run|execute|install))\b${forbidden}`,
      String.raw`\bhistory\s+-c\b|\bunset\s+HISTFILE\b|\bHISTFILE=\/dev\/null|\bHISTSIZE=0\b`,
      `(?:不要|不能|不得|不可|别|请勿|切勿|绝不|禁止|无需|不必)(?:告诉|告知|通知|提醒|让|透露给|汇报给)${personChinese}(?:知道|发现|察觉|知晓|得知|这|此|你|关于|任何|执行|已经)`,
      `(?:瞒着|背着|欺骗|瞒过)${personChinese}|(?:对|向)${personChinese}(?:隐瞒|保密|隐藏)`,
      `(?:不让|避免|防止|以免)${personChinese}(?:知道|发现|察觉|知晓|得知)|在${personChinese}(?:不知情|不知道|没有察觉)`,
      `(?:偷偷|悄悄|暗中|暗地里|秘密)地?(?:把|将|发送|上传|发给|传到|转发|收集|复制|执行|运行|读取|安装)`,
    ],
  },
  {
    name: "sends-secrets",
    kind: "sentence",
    patterns: [
      String.raw`\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|copy|submit|deliver)\b${forbidden}[^.\n]{0,100}${secrets}[^.\n]{0,100}\b(?:to|into|at|via|with)\s+${outside}`,
      String.raw`\b(?:send|post|upload|forward|transmit|submit)\b${forbidden}\s+(?:them|it|everything|(?:the|its|their)\s+contents?)\s+to\s+${outside}(?<=${secrets}[^\n]{0,150})`,
      String.raw`\bexfiltrate\b${forbidden}\s+(?:the\s+|all\s+|any\s+)?(?:\w+\s+){0,2}(?:data|files?|keys?|secrets?)`,
      String.raw`${forbiddenChinese}(?:把|将)[^。\n]{0,40}${secretsChinese}[^。\n]{0,40}(?:发送|发到|发给|发往|上传|传到|传给|提交|转发|外传)`,
      String.raw`${forbiddenChinese}(?:发送|上传|转发|外传|窃取|收集)[^。\n]{0,30}${secretsChinese}[^。\n]{0,40}(?:到|至|给|并发送)`,
    ],
  },
  {
    name: "sends-secrets",
    kind: "command",
    patterns: [
      String.raw`${uploader}[^\n]{0,300}(?:-d|--data\S*|-F|--form|-T|--upload-file|--post-file|--body-file|<)[=\s]?["']?[^\n]{0,60}${secretFiles}`,
      String.raw`\b(?:scp|rsync)\s[^\n]{0,200}${secretFiles}[^\n]{0,200}\S+:`,
      String.raw`${secretFiles}[^\n]{0,200}\|\s*(?:[^\n|]{1,60}\|\s*)?${uploader}`,
      String.raw`(?:^|[;&|(]\s*)(?:printenv|env|set)\s*\|\s*(?:[^\n|]{1,60}\|\s*)?${uploader}`,
      String.raw`\b(?:requests\.post|urlopen|fetch|axios\.post)\s*\([^\n]{0,300}(?:dict\(os\.environ\)|os\.environ\b(?!\s*[.[])|process\.env\b(?!\s*[.?[]))`,
    ],
  },
  {
    name: "paste-site",
    kind: "command",
    patterns: [
      String.raw`(?:(?<=\/\/(?:[\w-]{1,60}\.){0,3})(?:${pasteSites})(?![\w-]|\.\w)|(?<![\w-])(?:${pasteSites})(?=\/|\s+\d))`,
    ],
  },
  {
    name: "prompt-override",
    kind: "sentence",
    patterns: [
      String.raw`\b(?:(?:ignore|disregard|forget)\s+(?:(?:all|any|every|each|of|the|your|my|these|those)\s+){0,4}|(?:override|bypass)\s+(?:(?:all|any|every|your|my|these|those)\s+){1,4})(?:previous|prior|above|earlier|preceding|foregoing|existing|original|system|safety|developer)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules?|messages?|guidelines?|directives?|constraints?|restrictions?|policies)`,
      String.raw`\byou\s+are\s+(?:now\s+(?:in\s+|an?\s+)?(?:DAN\b|developer\s+mode|jailbroken|unrestricted)|no\s+longer\s+(?:bound|restricted|limited|subject))`,
      String.raw`\b(?:act|behave|respond|operate)\s+as\s+(?:if|though)\s+(?:you\s+(?:have|had)|there\s+(?:are|were))\s+no\s+(?:\w+\s+)?(?:restrictions?|rules?|guidelines?|limits?)`,
      String.raw`<\|(?:im_start|im_end|system|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>`,
      `(?:忽略|无视|忘记|忘掉|抛弃|不要理会|不要遵守|绕过|覆盖)(?:掉|了)?(?:你|您)?的?(?:所有|全部|一切|任何)?的?(?:之前|以前|以上|上面|上述|前面|先前|此前|原有|原来|系统|安全)的?(?:所有|全部|一切)?的?(?:指令|指示|提示|规则|要求|设定|限制|命令|约束|对话)`,
      `你(?:现在)?(?:不再|不)受(?:到)?(?:任何|一切|所有)?的?(?:限制|约束|规则)|(?:进入|开启|启用)(?:越狱|开发者)模式`,
    ],
  },
  {
    name: "locked-archive",
    kind: "sentence",
    patterns: [
      String.raw`\b(?:archive|zip|rar|7z|extract(?:ion)?|unzip|unpack)\b[^.\n]{0,40}\bpass(?:word|code)?\b\s*(?:is|[:=])`,
      String.raw`\bpass(?:word|code)?\b[^.\n]{0,30}\b(?:archive|zip|rar|7z)\b\s*(?:is|[:=])`,
      String.raw`\b(?:unzip\b[^\n]{0,80}\s-P\s*\S|(?:7za?|unrar)\s+[xe]\b[^\n]{0,80}\s-p\S)`,
      "(?:解压密码|压缩包密码|解压码)\\s*(?:是|为|[:：=])",
    ],
  },
  {
    name: "run-first",
    kind: "sentence",
    patterns: [
      String.raw`\bdownload\b${forbidden}[^\n]{0,200}\.(?:exe|msi|dmg|pkg|scr|bat|vbs|zip|rar|7z)\b[^\n]{0,200}\b(?:run|execute|open|launch|double-?click)\b[^\n]{0,100}\b(?:before|first|prior\s+to)\b`,
      String.raw`\b(?:run|execute|launch|open)\s+(?:the\s+|this\s+)?[^.\n]{0,60}\.(?:exe|msi|dmg|pkg|scr|bat)\b[^.\n]{0,80}\b(?:before|first|prior\s+to)\b`,
      "(?:下载)[^。\\n]{0,80}\\.(?:exe|msi|dmg|pkg|bat|zip|rar)[^。\\n]{0,60}(?:运行|打开|执行|双击)",
    ],
  },
  {
    name: "runs-hidden-file",
    kind: "command",
    patterns: [
      String.raw`(?<=^|[\s;&|\x60])(?:ba|z|da)?sh\s+(?:\S*\.git\/|\S+\.(?:png|jpe?g|gif|webp|ico|ttf|otf|woff2?|pdf)\b)`,
    ],
  },
];
