// What the gateway says about the config file as it is.
import type { ConfigSnapshot } from "../../../../src/api/config/snapshot.ts";
import { useSay } from "../../words/use-say.ts";
import { useWords } from "../../words/use-words.ts";
import { findSetting, type JsonSchema, toGroup } from "./schema.ts";
import { useAbout } from "./use-about.ts";

export function Notes({ data }: { data: ConfigSnapshot }) {
  const words = useWords().settings;
  const about = useAbout();
  const say = useSay();
  const notes = [...data.problems, ...data.warnings];
  if (notes.length === 0) return null;
  const root = toGroup(data.schema as JsonSchema, data.file);
  const labelOf = (path: string) => {
    const setting = path === "" ? undefined : findSetting(root, path);
    return (setting && about(setting)) || path;
  };
  return (
    <section
      aria-label={words.notes}
      className="rounded-card border border-line bg-warn-soft px-5 py-3 text-small text-warn"
    >
      <h2 className="font-medium">{words.notesOf(data.path)}</h2>
      <ul className="mt-1 list-disc pl-5">
        {notes.map(({ path, phrase }) => (
          <li key={`${path} ${JSON.stringify(phrase)}`} className="break-words">
            {path !== "" && <span className="font-medium">{labelOf(path)}: </span>}
            {say(phrase)}
          </li>
        ))}
      </ul>
    </section>
  );
}
