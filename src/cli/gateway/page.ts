// The plain page of the gateway, for whoever opens its address in a browser.
import type { Words } from "../../i18n/words.ts";

export function createPage({ gateway: { page } }: Words): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<style>
body { font: 16px/1.6 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem; color-scheme: light dark; }
code { font-size: 0.95em; }
</style>
</head>
<body>
<h1>${page.title}</h1>
<p>${page.text.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
<p><a href="/health">${page.health}</a></p>
</body>
</html>
`;
}
