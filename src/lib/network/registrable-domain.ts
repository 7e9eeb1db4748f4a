// The site that a host belongs to: the part of its name that is registered. Not the public suffix list, which would be
// larger than all guards: second levels of countries by their usual names, and the hosting services where every customer has
// a name. A suffix that is missing here makes one site of several, which the guards count more strictly, not less.
import { isIP } from "node:net";
import { toPlainHost } from "./ip-address.ts";

const countrySeconds = new Set(
  "ac co com edu gob gov go gouv govt id in info ltd me mil muni net ne nom or org plc sch tm web".split(" "),
);

const hosting = new Set(
  `github.io gitlab.io pages.dev workers.dev vercel.app netlify.app web.app firebaseapp.com herokuapp.com fly.dev
  onrender.com surge.sh glitch.me repl.co replit.app ngrok.io ngrok.app ngrok-free.app trycloudflare.com amazonaws.com
  cloudfront.net azurewebsites.net blogspot.com wordpress.com tumblr.com neocities.org deno.dev railway.app
  r2.dev codeberg.page readthedocs.io appspot.com run.app oastify.com`.split(/\s+/),
);

/** Of an address or name; the whole name where no part of it is registered. */
export function toSite(host: string): string {
  const name = toPlainHost(host).toLowerCase().replace(/\.$/, "");
  if (isIP(name) !== 0) return name;
  const labels = name.split(".");
  const last = labels.at(-1) ?? "";
  const isCountry = last.length === 2 && countrySeconds.has(labels.at(-2) ?? "");
  const depth = isCountry || hosting.has(labels.slice(-2).join(".")) ? 3 : 2;
  return labels.slice(-depth).join(".");
}
