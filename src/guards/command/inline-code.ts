// How far code that stands in a command line can be trusted by its looks. "pure" turns input into output; "local" does
// no more than a script of the workspace might; anything else is for the owner to read.

export type CodeKind = "pure" | "local" | "unclear";

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
export function classifyCode(code: string, language: string): CodeKind {
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
