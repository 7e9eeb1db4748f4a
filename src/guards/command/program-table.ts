// The programs that are known, as data. What stands in no row, or an option that is not in it, is asked about.
import { type ProgramRow, readTable } from "./program-row.ts";

/*
 * names | short options | long options | operands | note. Behind an option: `:` a value, `<` a file to read, `>` one to
 * write, `$` a script of sed, `?` an optional value in the same word, `!` asked about, `~` local, `^` what is read is
 * changed. `#` stands for -1, -2 and so on. Operands: the last one with `*` stands for all that follow.
 */
const table = String.raw`
: true false | | | any*
echo times dirs fg bg disown exit return break continue shift logout umask ulimit clear reset help | | | words*
jobs | lnprs | | none
history | | | /^\d+$/
sleep yes basename dirname readlink realpath seq factor cal ncal tput type which whereis id groups | | | words*
printf expr test [ wait getopts | | | plain*
pwd | LP | | none
cd pushd | L | | read
popd | | | any*
eval trap | | | any*
read | rse a: d: n: N: p: t: u: i: | | any*
mapfile readarray | t d: n: O: s: u: | | any*
export declare typeset local readonly | xraAgplufF | | any*
unset | v | | any*
set | euxfnvCETh o: | | any*
shopt | suqp | | /^(nullglob|globstar|dotglob|failglob|inherit_errexit)$/*
builtin exec nohup setsid busybox toybox unbuffer | cl a: | | command
time | pva f: o> | | command
timeout | v k: s: | foreground preserve-status signal: kill-after: verbose | any command
nice | n: # | adjustment: | command
ionice | t c: n: | | command
stdbuf | i: o: e: | input: output: error: | command
sudo doas | EHnkKbAP u: g: p: C: T: h: i! s! | preserve-env? user: group: non-interactive | command | otherUser
date | uR I? d: r< | utc universal date: iso-8601? rfc-3339: rfc-email reference< | /^\+/
whoami logname arch nproc users who w tty uptime hostid sync | aps | all pretty since version | none
hostname | fIsid | fqdn short ip-address | none
uname | asnrvmpio | all kernel-name nodename kernel-release machine operating-system | none
top | bH n: d: p: u: o: | | none
free | bkmghtwl s: c: | human mega giga total wide | none
pgrep pidof | flaxnovcis u: U: P: t: | full list-name list-full exact newest oldest | any*
ss netstat | tulnpaeomsxr4l6ioH | tcp udp listening numeric processes all | any*
lsof | nPtlbaw i: p: u: c: d: | | read*
locale | amkc | all-locales | any*
dpkg-query dpkg | lLsS | list listfiles status search | any*
man apropos whatis | kfaw | apropos whatis all | any*
ls dir vdir | aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ1 | all almost-all author block-size: color? classify? directory dired full-time group-directories-first hide: human-readable ignore: indicator-style: inode no-group numeric-uid-gid recursive reverse si size sort: time: time-style: width: zero file-type literal quote-name | read*
tree | adfipsughDFqNrtcCnJXQ L: I: P: l~ o> | dirsfirst noreport gitignore prune du inodes sort: charset: filelimit: si matchdirs | read*
cat tac rev zcat bzcat xzcat zstdcat | AbeEnstTuv | number show-all squeeze-blank number-nonblank show-ends show-tabs before | read*
nl | p b: s: w: n: v: i: f: h: d: l: | body-numbering: number-separator: number-width: number-format: starting-line-number: | read*
printenv | 0 | null | any*
head tail | qvzfF# n: c: s: | lines: bytes: quiet silent verbose zero-terminated follow? retry pid: sleep-interval: | read*
wc | clmwL | bytes chars lines words max-line-length total: | read*
sort | bcCdfghiMnrRsuVzm k: t: o> S: | key: field-separator: output> reverse numeric-sort unique version-sort human-numeric-sort general-numeric-sort ignore-case stable check? month-sort zero-terminated parallel: ignore-leading-blanks buffer-size: | read*
uniq | cdDiuz f: s: w: | count repeated unique ignore-case skip-fields: skip-chars: check-chars: all-repeated? | read write
cut | nsz b: c: d: f: | bytes: characters: delimiter: fields: complement only-delimited output-delimiter: | read*
tr | cCdst | complement delete squeeze-repeats truncate-set1 | any*
grep egrep fgrep zgrep | EFGPivwxcnHhlLoqsabrIyzUT# R~ e: f< m: A: B: C: d: D: | extended-regexp fixed-strings perl-regexp ignore-case invert-match word-regexp line-regexp count line-number with-filename no-filename files-with-matches files-without-match only-matching quiet silent no-messages text byte-offset recursive dereference-recursive~ null null-data binary initial-tab regexp: file< max-count: after-context: before-context: context: color? colour? include: exclude: exclude-dir: exclude-from< label: line-buffered binary-files: directories: devices: no-ignore-case | pattern read*
rg | iSsFwxvcnNloqHIUPuahzp0.# L~ e: f< m: A: B: C: g: t: T: j: r: M: d: E: | ignore-case smart-case case-sensitive fixed-strings word-regexp line-regexp invert-match count count-matches line-number no-line-number files-with-matches files-without-match only-matching quiet with-filename no-filename multiline multiline-dotall pcre2 hidden no-ignore no-ignore-vcs text heading no-heading json stats files trim vimgrep column null regexp: file< max-count: after-context: before-context: context: glob: iglob: type: type-not: type-list max-depth: max-columns: max-filesize: sort: sortr: color: colors: replace: threads: follow~ passthru pretty no-messages encoding: sort-files | pattern read*
fd fdfind | HIusigap0lFq e: t: d: E: S: o: j: L~ x! X! | hidden no-ignore unrestricted case-sensitive ignore-case glob absolute-path full-path print0 list-details extension: type: max-depth: min-depth: exact-depth: exclude: size: changed-within: changed-before: max-results: fixed-strings color: | any read*
diff colordiff | aubBcdeEiNqrstTwyZl U: C: W: x: I: L: F: | unified? context? brief recursive new-file text ignore-case ignore-all-space ignore-space-change ignore-blank-lines side-by-side width: exclude: color? suppress-common-lines label: minimal report-identical-files strip-trailing-cr show-c-function normal | read read
cmp | blsn i: | bytes: print-bytes quiet silent verbose | read read any*
comm | 123iz | check-order nocheck-order output-delimiter: total zero-terminated | read read
join | iz t: 1: 2: j: a: v: o: e: | header ignore-case nocheck-order | read read
paste | sz d: | serial delimiters: | read*
column | txnJeR s: c: o: N: H: O: T: W: E: l: | table separator: output-separator: table-columns: json output-width: table-name: | read*
od | vbcdosxiafhl A: t: N: j: S: w? | address-radix: format: read-bytes: skip-bytes: strings? width? | read*
hexdump hd | bcCdovx n: s: e: | canonical length: skip: format: no-squeezing | read*
xxd | prubieEC c: l: s: g: o: | | read write
strings | af n: t: e: # | all bytes: radix: encoding: | read*
file | bikLhNprsz0 F: | brief mime mime-type mime-encoding dereference uncompress | read*
stat | Lft c: | format: printf: dereference file-system terse | read*
du | abchHkmsSx0D d: t: B: | all apparent-size bytes total human-readable max-depth: summarize exclude: separate-dirs one-file-system threshold: time? si block-size: inodes | read*
df | ahHiklmPT t: x: B: | all human-readable inodes local print-type total type: exclude-type: output? si | read*
md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum shasum md5 sum | bctwqzrs a: l: | check binary text tag quiet status strict warn ignore-missing zero algorithm: length: | read*
base64 base32 | dDi w: | decode ignore-garbage wrap: | read
iconv | cls f: t: o> | from-code: to-code: list output> | read*
fold | bs w: | bytes spaces width: | read*
fmt | cstu w: g: | crown-margin split-only uniform-spacing width: goal: | read*
expand unexpand | ia t: | initial all tabs: first-only | read*
tsort | | | read*
numfmt | z d: | to: from: field: suffix: padding: grouping delimiter: to-unit: from-unit: round: format: | words*
bc | lqsw | mathlib quiet standard warn | read*
shuf | rz n: i: o> e | head-count: input-range: output> repeat echo | read*
split | dx l: b: n: a: C: | lines: bytes: number: numeric-suffixes? suffix-length: additional-suffix: verbose | read write
jq | rcnsSejaCMR f< | raw-output compact-output null-input slurp sort-keys exit-status join-output ascii-output color-output monochrome-output raw-input raw-output0 tab indent: arg:: argjson:: slurpfile:< rawfile:< from-file< args jsonargs stream seq | pattern read*
yq | rPeNjyCnM o: p: i^ | unwrapScalar prettyPrint exit-status no-doc tojson output-format: input-format: inplace^ null-input colors no-colors indent: | pattern read* | local
xmllint | | format noout xpath: html nowarning recover encode: | read*
sed gsed | nEruzs e$ f<~ i?^ | quiet silent regexp-extended expression$ file<~ in-place?^ null-data separate unbuffered line-length: posix debug | sed read*
awk gawk mawk nawk | F: v: f<~ | field-separator: assign: posix re-interval | awk read*
tee | aip | append ignore-interrupts output-error? | write*
touch | acmh d: t: r< | date: no-create no-dereference reference< time: | write*
mkdir | pv m: | parents verbose mode: | write*
rmdir | pv | parents verbose ignore-fail-on-non-empty | remove*
rm unlink | fivdI r! R! | force interactive? verbose dir recursive! one-file-system | remove*
chmod | cfv R^ | changes silent quiet verbose recursive^ | /^(0?[0-7]{3}|[ugoa]*[-+=][rwxX]+(,[ugoa]*[-+=][rwxX]+)*)$/ write*
truncate | co s: r< | size: no-create reference< | write*
mktemp | dqut p> | directory dry-run quiet suffix: tmpdir? | write*
gzip gunzip bzip2 bunzip2 xz unxz lzma zstd unzstd | cdfkltvqn# r^ | decompress stdout to-stdout keep force list test verbose quiet best fast threads: recursive^ | write*
zip | rqjv9876543210yuD x: i: | recurse-paths quiet junk-paths exclude: include: | write read*
unzip | onqjlvtpaC d> x: | | read any* | local
patch | bENRst p: i< d> | strip: input< dry-run reverse forward quiet backup directory> | write* | local
`;

/** Programs that run code of the workspace, or turn its files into others. */
const localNames = `
make gmake cmake ctest ninja meson gcc g++ cc c++ clang clang++ rustc javac java kotlinc scala swift swiftc zig ghc deno
tsc tsx ts-node vite vitest jest mocha ava eslint prettier biome webpack rollup esbuild babel stylelint nyc c8 playwright
pytest tox nox ruff black mypy flake8 isort pylint pyright coverage sphinx-build mkdocs pre-commit jupyter-nbconvert
rake rspec rubocop phpunit gradle gradlew mvn ant sbt lein mix dotnet hugo jekyll bats shellcheck shfmt hadolint
pandoc ffmpeg ffprobe convert magick identify mogrify inkscape pdftotext pdftoppm pdfinfo pdfunite pdfseparate qpdf gs
tesseract soffice libreoffice wkhtmltopdf pdflatex xelatex lualatex latexmk bibtex typst dot plantuml sqlite3 duckdb
exiftool cloc tokei scc hyperfine ctags cscope objdump nm readelf ldd strip ar csvcut csvgrep csvstat csvlook mlr
xsltproc tidy gofmt goimports golangci-lint rustfmt clang-format clang-tidy protoc`;

/** Programs that do nothing without a network or a service. */
const networkNames = `
curl wget nc ncat netcat telnet ftp sftp scp ssh sshfs mosh socat ping ping6 traceroute tracepath mtr dig nslookup host
whois http https xh aria2c yt-dlp youtube-dl lynx w3m links rclone s3cmd aws gcloud gsutil az kubectl helm gh glab hub
docker docker-compose podman nerdctl buildah skopeo heroku vercel netlify fly flyctl doctl terraform pulumi ansible
ansible-playbook apt apt-get aptitude dnf yum pacman apk zypper brew port snap flatpak nix nix-env psql mysql mongosh mongo
redis-cli gem composer pipx conda mamba clawhub ollama mail sendmail mutt nmap openssl`;

/** Programs that wreck a system or give its secrets away. */
const refusedNames = `
shutdown reboot poweroff halt telinit init wipefs fdisk sfdisk cfdisk parted gdisk sgdisk mkswap swapoff hdparm blkdiscard
cryptsetup lvremove vgremove pvremove insmod rmmod modprobe kexec security secret-tool pass op bw lpass keyctl`;

/** Programs with subcommands: which only show something, which run local code; the others need the network. */
const managers: Array<[program: RegExp, harmless: RegExp, local: RegExp]> = [
  [
    /^npm$/,
    /^(ls|list|ll|root|prefix|help|explain|pkg)$/,
    /^(test|t|tst|run|run-script|start|stop|restart|rebuild|pack|version)$/,
  ],
  [
    /^(pnpm|yarn|bun)$/,
    /^(list|ls|why|help)$/,
    /^(?!(install|i|ci|add|remove|rm|up|update|upgrade|publish|dlx|create|import|audit|login|set|npm|x|link|global|fetch)$)/,
  ],
  [/^pip3?$/, /^(list|show|freeze|check|help)$/, /^$/],
  [/^uv$/, /^(tree|help)$/, /^(run|venv|build)$/],
  [/^poetry$/, /^(show|check|version|env|about)$/, /^(run|build)$/],
  [
    /^cargo$/,
    /^(version|help)$/,
    /^(build|b|check|c|test|t|run|r|clippy|fmt|doc|bench|clean|new|init|tree|metadata)$/,
  ],
  [/^go$/, /^(version|env|doc|help)$/, /^(build|test|run|vet|fmt|generate|tool|clean|list)$/],
  [/^bundle$/, /^(list|show|check)$/, /^exec$/],
];

export type ProgramKind = "harmless" | "local" | "network" | "refused";

let rows: Map<string, ProgramRow> | undefined;
let kinds: Map<string, ProgramKind> | undefined;

export function findRow(name: string): ProgramRow | undefined {
  rows ??= readTable(table);
  return rows.get(name);
}

/** What is known of a program beyond the rows; `subcommand` is its first operand. */
export function findKind(name: string, subcommand: string | undefined): ProgramKind | undefined {
  const manager = managers.find(([program]) => program.test(name));
  if (manager !== undefined) {
    const [, harmless, local] = manager;
    if (subcommand === undefined || harmless.test(subcommand))
      return subcommand === undefined ? "network" : "harmless";
    return local.test(subcommand) ? "local" : "network";
  }
  kinds ??= new Map([
    ...toKinds(localNames, "local"),
    ...toKinds(networkNames, "network"),
    ...toKinds(refusedNames, "refused"),
  ]);
  return /^mkfs(\.|$)/.test(name) ? "refused" : kinds.get(name);
}

function toKinds(names: string, kind: ProgramKind): Array<[string, ProgramKind]> {
  return names
    .trim()
    .split(/\s+/)
    .map((name) => [name, kind]);
}
