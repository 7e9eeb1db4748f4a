// Secrets of a person's own files: the value of a field named like a secret in YAML, JSON, .env, INI and manifests, at any
// length, and all of files that hold nothing else. Knows no tools; lines may have numbers or file names before them.

/** The end of a name; what comes before it makes no difference (`DB_PASS`, `clientSecret`, `spring.mail.password`). */
const strong =
  "pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|(?:api|access|private|secret|signing|encryption|auth|account|master|shared|client|license|service|webhook|storage|session|jwt|ssh|gpg)[_.-]?key";
const name = String.raw`(?<![\w-])["']?[\w.-]{0,60}?(?:${strong})["']?`;
const pgNames = "PGPASS|MYSQL_PWD";
const quoted = String.raw`"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'`;
/** Up to a comment or the end of the line. */
const bare = String.raw`(?!\$[{(])[^\s"'\x60#,;{}[\]()<>|][^\s#,;{}[\]()<>|]*(?: (?!#)[^\s#:=,;{}[\]()<>|]+)*`;

const field = new RegExp(String.raw`((?:${name}|${pgNames})[ \t]*[:=][ \t]*)(${quoted}|${bare})`, "gi");
const word = String.raw`(?!\$[{(])[^\s"'\x60#,;{}[\]()<>|]+`;
/** Where it may be code: in JSON, as a variable, or alone on its line. */
const assigned = [
  new RegExp(String.raw`((?<![\w-])"[\w.-]{0,60}?(?:${strong})"[ \t]*:[ \t]*)("(?:[^"\\\n]|\\.)*")`, "gi"),
  new RegExp(
    String.raw`(\b(?:[A-Z][A-Z0-9_]{0,60}_)?(?:PASS(?:WORD|WD|PHRASE)?|PWD|SECRET|TOKEN|KEY|CREDENTIALS?|PGPASS)=)(${quoted}|${word})`,
    "g",
  ),
  new RegExp(
    String.raw`(^(?:[^\s:]+[:-]\d+[:-]|[ \t]*\d+[|:-])?[ \t]*(?:- |export |set )?(?:${name})[ \t]*[:=][ \t]*)(${quoted}|${bare})(?=[ \t]*(?:#.*)?$)`,
    "gim",
  ),
];
/** `key` and `auth` alone mean many things: only what looks like one that a machine made. */
const vague = new RegExp(
  String.raw`((?<![\w-])["']?(?:key|auth)["']?[ \t]*[:=][ \t]*)(${quoted}|${bare})`,
  "gi",
);
const entry = new RegExp(
  String.raw`(name["']?[ \t]*:[ \t]*["']?[\w.-]{0,60}?(?:${strong}|${pgNames}|_KEY)["']?[ \t]*,?\s*(?:\d+[|:-] *)?(?:[^\s:]+[:-]\d+[:-] *)?["']?value["']?[ \t]*:[ \t]*)(${quoted}|${bare})`,
  "gi",
);

/** References, types and calls: code and templates, which hold no secret. */
const noSecret =
  /^(?:["']{2}|["']?(?:\$[({].*|\$[A-Z_]+|\{\{.*|<.*|%\w+%|process\.env.*|os\.environ.*|env[.([].*|!\w+.*|\|[-+]?|>[-+]?|\*+|x{3,}|.*\.{3}.*|null|none|nil|undefined|true|false|yes|no|on|off|string|str|text|number|int|integer|boolean|bool|any|unknown|object|array|required|optional|your[\W_].*|my[-_].*|changeme|example|placeholder|password|secret|token)["']?)$/i;
const codeLike = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*|\?\.|\(|\[)|[({;]$|=>/;

const dataFile =
  /(?:^|[/\\])(?:\.env(?:\..+)?|[^/\\]*\.(?:ya?ml|json[5c]?|toml|ini|cfg|cnf|conf|config|properties|env|tfvars|tfstate|plist|xml)|\.?(?:npmrc|pypirc|my\.cnf|s3cfg|boto|netrc|dockercfg|credentials|authinfo|curlrc|wgetrc))$/i;
const secretFile =
  /(?:^|[/\\])(?:[^/\\]*\.(?:token|pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg|age)|\.?(?:token|pgpass|netrc|htpasswd|git-credentials|vault-token|vault_pass(?:word)?|my\.cnf|authinfo)|(?:token|password|passwd|secret)s?(?:\.txt)?|id_(?:rsa|dsa|ecdsa|ed25519)[^/\\]*(?<!\.pub))$/i;

/** A file whose fields are settings. */
export function isDataFile(path: string): boolean {
  return dataFile.test(path);
}

/** A file that holds secrets and little else. */
export function isSecretFile(path: string): boolean {
  return secretFile.test(path) && !/\.pub$/i.test(path);
}

/** `isData`: each field is a setting; elsewhere it may be code, where a name precedes much else. */
export function withholdFields(text: string, mark: string, { isData = false } = {}): string {
  const put = (match: string, ...groups: unknown[]) => {
    const [before, value] = groups.filter((group) => typeof group === "string");
    if (before === undefined || value === undefined || isHarmless(value, isData)) return match;
    return before + toMark(value, mark);
  };
  const patterns = isData ? [field, entry] : [...assigned, entry];
  const named = patterns.reduce((clean, pattern) => clean.replace(pattern, put), text);
  const clean = !isData
    ? named
    : named.replace(vague, (match, before, value) =>
        /\d/.test(value) && /[a-z]/i.test(value) && value.length >= 8 ? put(match, before, value) : match,
      );
  return /^\W*(?:\d+[|:-] *)?["']?kind["']?[ \t]*:[ \t]*["']?Secret\b/m.test(text)
    ? withholdData(clean, mark)
    : clean;
}

function isHarmless(value: string, isData: boolean): boolean {
  if (noSecret.test(value) || value.includes("withheld")) return true;
  return !isData && !/^["']/.test(value) && codeLike.test(value);
}

function toMark(value: string, mark: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? "";
  return quote + mark + quote;
}

/** The fields of `data` and `stringData` of a manifest of kind Secret. */
function withholdData(text: string, mark: string): string {
  let depth = -1;
  return text
    .split("\n")
    .map((line) => {
      const [, before = "", indent = "", rest = ""] = /^(\s*\d+[|:-] ?)?(\s*)(.*)$/.exec(line) ?? [];
      if (rest === "") return line;
      if (/^["']?(?:data|stringData)["']?[ \t]*:/.test(rest)) depth = indent.length;
      else if (depth >= 0 && indent.length <= depth) depth = -1;
      if (depth < 0 || indent.length <= depth) return line;
      return (
        before + indent + rest.replace(/^((?:["']?[\w.-]+["']?[ \t]*:[ \t]*)?)(\S.*?)(,?)$/, `$1${mark}$3`)
      );
    })
    .join("\n");
}
