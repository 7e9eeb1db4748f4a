// Web addresses that strangers have shown us, in results of a search or on a page. Such an address says nothing of ours;
// any other was composed by the model and may carry out whatever it has read. In memory, and bounded.

const mostLinks = 5_000;
const longestLink = 2_000;
const anyLink = /https?:\/\/[^\s<>"'`\\|^{}]{1,2000}/g;

export class ShownLinks {
  readonly #links = new Set<string>();

  /** Those in a text, with and without what may belong to the sentence or to the Markdown around them. */
  addFrom(text: string): void {
    for (const [found] of text.replaceAll(/\\([()_*~])/g, "$1").matchAll(anyLink)) {
      this.add(found);
      // The address of `[name](address)` ends at a bracket that may also be in the middle of what was found.
      this.add(found.split(")", 1)[0] ?? "");
      for (let link = found; /[)\].,;:!?*_]$/.test(link); ) {
        link = link.slice(0, -1);
        this.add(link);
      }
    }
  }

  add(link: string): void {
    const address = normalise(link);
    if (address === undefined || address.length > longestLink) return;
    this.#links.delete(address);
    this.#links.add(address);
    const [oldest] = this.#links;
    if (this.#links.size > mostLinks && oldest !== undefined) this.#links.delete(oldest);
  }

  has(link: string): boolean {
    const address = normalise(link);
    return address !== undefined && this.#links.has(address);
  }
}

function normalise(link: string): string | undefined {
  if (!URL.canParse(link)) return undefined;
  const url = new URL(link);
  url.hash = "";
  return url.href;
}
