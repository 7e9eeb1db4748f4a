// Variables that are set in a line: most mean nothing, some decide which programs run or how the line is read.
import { phrase } from "../../i18n/phrase.ts";
import type { ShellWord } from "./shell-word.ts";
import type { Assignment, Concern } from "./simple-command.ts";

const steering =
  /^(PATH|IFS|ENV|HOME|PWD|CDPATH|SHELLOPTS|BASHOPTS|GLOBIGNORE|EXECIGNORE|PS[0-4]|PROMPT_COMMAND|POSIXLY_CORRECT|LESS(OPEN|CLOSE)|MANPAGER|(GIT_)?(PAGER|EDITOR)|VISUAL|BROWSER|TAR_OPTIONS|RIPGREP_CONFIG_PATH|PYTHON(STARTUP|HOME|INSPECT)|(PERL5|RUBY)(OPT|LIB|DB)|JAVA_TOOL_OPTIONS|.*_(proxy|PROXY)|.*ASKPASS|(LD|DYLD|BASH|GIT)_.*)$/;

const plain =
  /^(LANG|LC_\w+|TZ|CI|DEBUG|(NO|FORCE)_?COLOR|TERM|COLUMNS|LINES|NODE_ENV|RUST_(LOG|BACKTRACE)|PYTHON(UNBUFFERED|DONTWRITEBYTECODE|IOENCODING)|GIT_(TERMINAL_PROMPT|(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)))$/;

/** `words` are those of the command that it is set for. */
export function judgeSetting({ name, value, isExported }: Assignment, words: ShellWord[]): Concern[] {
  if (plain.test(name) || (name === "IFS" && words[0]?.text === "read")) return [];
  if (/^(GIT_)?(PAGER|EDITOR)$/.test(name) && /^(cat|true|:|)$/.test(value.text)) return [];
  const isLoading = name === "NODE_OPTIONS" && /require|import|loader/.test(value.text);
  if (steering.test(name) || isLoading)
    return [{ severity: "ask", reason: phrase("approval.setting", { name }) }];
  return isExported ? [{ severity: "local", reason: phrase("approval.setting", { name }) }] : [];
}
