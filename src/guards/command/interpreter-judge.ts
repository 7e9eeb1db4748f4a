// Interpreters: code that stands in the line is looked at, files are local code.
import { phrase } from "../../i18n/phrase.ts";
import { type Inquiry, isOption, toLocal } from "./inquiry.ts";
import { type ShellWord, toUnknown } from "./shell-word.ts";

/** How an option looks behind which code stands. */
const codeOptions: Array<[language: string, option: RegExp]> = [
  ["python", /^-[a-zA-Z]*c$/],
  ["node", /^(-e|-p|-pe|--eval|--print)$/],
  ["perl", /^-[a-zA-Z0-9.]*[eE]$/],
  ["ruby", /^-[a-z]*e$/],
  ["php", /^-r$/],
  ["", /^(-e|-E|-F)$/],
];

/** Letters of which none is followed by code in the same word, a module, or an ending for copies of changed files. */
const plainOption =
  /^(-(?![a-zA-Z]*[ceErp][a-zA-Z])[a-zA-Z]{1,4}|-pe|-[IMrW][\w:.=/,]+|-[a-z]*i\.\w+|-[a-z]*[0l]\d*|--[\w-]+(=.*)?|--)$/;

export async function judgeInterpreter(args: ShellWord[], inquiry: Inquiry, name: string): Promise<void> {
  if (args.length === 1 && /^(-V|--version|-v)$/.test(args[0]?.text ?? "")) return;
  const [language, option] = codeOptions.find(([one]) => name.replace("pypy", "python").startsWith(one)) ?? [
    "",
    /^$/,
  ];
  if (language === "python" && args[0]?.text === "-m") return judgeModule(args.slice(1), inquiry, name);
  const first = args.findIndex((word) => !isOption(word));
  const hasCode = first > 0 && option.test(args[first - 1]?.text ?? "");
  const isFed =
    !hasCode && !args.some(({ text }) => text === "--test") && (first === -1 || args[first]?.text === "-");
  const codes = args.filter((_, index) => hasCode && option.test(args[index - 1]?.text ?? ""));
  if (isFed) codes.push(inquiry.command.input ?? toUnknown("its input"));
  if (codes.length === 0) inquiry.add(toLocal(name));
  for (const code of codes) judgeCode(code, language, inquiry, name);
  const odd = args
    .slice(0, first === -1 ? undefined : first)
    .find(({ text }) => !plainOption.test(text) && !option.test(text));
  if (odd !== undefined) inquiry.ask(phrase("approval.asked-option", { option: odd.text, program: name }));
  // perl -i and ruby -i put their output into the files.
  const access =
    /^(perl|ruby)/.test(name) && args.some(({ text }) => /^-[a-z]*i/.test(text)) ? "write" : "read";
  for (const word of args) {
    if (codes.includes(word) || isOption(word) || word.text === "-") continue;
    if (word.text.startsWith("/dev/")) inquiry.ask(phrase("approval.unknown-code", { program: name }));
    await inquiry.path(word, access);
  }
}

function judgeCode(code: ShellWord, language: string, inquiry: Inquiry, name: string): void {
  const kind = code.kind === "text" ? classifyCode(code.text, language) : "hidden";
  if (kind === "hidden") inquiry.ask(phrase("approval.unknown-code", { program: name }));
  if (kind === "local") inquiry.add(toLocal(name));
  if (kind === "unclear") inquiry.ask(phrase("approval.inline-code", { program: name }));
}

async function judgeModule([module, ...args]: ShellWord[], inquiry: Inquiry, name: string): Promise<void> {
  if (module?.text === "pip") return inquiry.run([module, ...args]);
  if (module?.kind !== "text" || /^(http|smtpd|webbrowser|ensurepip|pdb|code)(\.|$)/.test(module.text)) {
    return inquiry.add({
      severity: "ask",
      reason: phrase("approval.network", { program: `${name} -m ${module?.text}` }),
      isNetwork: true,
    });
  }
  inquiry.add(toLocal(name));
  for (const word of args) if (!isOption(word)) await inquiry.path(word, "read");
}

type CodeKind = "pure" | "local" | "unclear";

/** Other programs, the network, code made from text, what cannot be undone: in any of the languages. */
const risky = new RegExp(
  [
    String.raw`\b(system|popen\w*|exec(?!utable)\w*|spawn\w*|fork|subprocess|child_process|pty|kill|ctypes|cffi|dlopen|vm|passthru|shell_exec|proc_open)\b`,
    String.raw`\b(socket\w*|urllib\w*|requests|httpx?|https|aiohttp|ftplib|smtplib|telnetlib|xmlrpc|paramiko|ssl|fetch|XMLHttpRequest|WebSocket|net|dgram|tls|dns|LWP|Socket|Net|TCPSocket|open-uri|curl\w*|fsockopen|Deno|Bun)\b`,
    String.raw`\b(eval|Function|compile|__\w+__|importlib|getattr|pickle|marshal|base64|atob|unhexlify|decode|fromhex|include|constructor|binding|globalThis)\b`,
    String.raw`\b(rmtree|rm|rmSync|rmdir\w*|unlink\w*|remove|removedirs|chmod\w*|chown\w*|truncate\w*|symlink\w*|environ|env|getpass|keyring)\b`,
    "`|\\bqx\\b|%x|\\\\x[0-9a-fA-F]{2}|\\\\u[0-9a-fA-F{]|\\\\[0-7]{2}|\\bchr\\s*\\(|fromCharCode",
  ].join("|"),
);

/** Absolute paths, the home, a step up. */
const leadingOut = /["'(q{](\/[\w.]|~\/|file:)|\.\.(\/|["'])|\bhomedir\b|\bexpanduser\b|\.home\(|\bHOME\b/;

/** Built into the interpreter: any other one may be a file of the workspace with the same name. */
const pureModules = /^(sys|time)$/;

/** Of Python: files, and ways from a harmless module to any other. */
const impureNames =
  /\b(open|os|io|input|modules|builtins|codecs|path|pathlib|shutil|glob|tempfile|globals|locals|vars|setattr|delattr|breakpoint|stdout|stderr|_\w+)\b/;

const pureScriptNames =
  /^(console|log|JSON|stringify|parse|Math|floor|ceil|round|max|min|abs|sqrt|pow|PI|Date|now|toISOString|toString|getTime|Object|keys|values|entries|Array|from|length|map|filter|join|split|reduce|sort|slice|process|versions?|node|v8|platform|arch|new|const|let|null|true|false|Number|String|Intl|DateTimeFormat|resolvedOptions|timeZone|[a-z])$/;

const strings = /"(\\[\s\S]|[^"\\\n])*"|'(\\[\s\S]|[^'\\\n])*'/g;

/** Languages: python, node, or any other one. */
function classifyCode(code: string, language: string): CodeKind {
  if (risky.test(code) || leadingOut.test(code)) return "unclear";
  if (language === "python" && isPurePython(code)) return "pure";
  return language === "node" && isPureScript(code) ? "pure" : "local";
}

function isPurePython(code: string): boolean {
  // What an f-string holds is code, too.
  const bare = /\b[rb]?f[rb]?["']/i.test(code) ? code : code.replaceAll(strings, '""');
  const imports = bare.matchAll(/\bfrom\s+([\w.]+)\s+import\b|\bimport\s+([\w., ]+)/g);
  const modules = [...imports].flatMap(
    ([, from, names = ""]) => from ?? names.split(",").map((name) => name.trim().split(" ")[0]),
  );
  return modules.every((name) => pureModules.test(name ?? "")) && !impureNames.test(bare);
}

function isPureScript(code: string): boolean {
  const names = code.replaceAll(strings, '""').match(/[\p{L}_$][\w$]*/gu) ?? [];
  return names.every((name) => pureScriptNames.test(name));
}
