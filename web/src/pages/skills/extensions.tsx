// What the model can use besides skills: own tools and MCP servers, with their state. Nothing where there are none.
import { Badge } from "../../components/card.tsx";
import { ListCard } from "../../components/list-card.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useStore } from "../../wire/wire-context.tsx";
import { useSay } from "../../words/use-say.ts";
import { useWords } from "../../words/use-words.ts";

const tones = { used: "good", off: "plain", waiting: "warn", broken: "bad" } as const;

export function Extensions() {
  const words = useWords().skills;
  const say = useSay();
  const command = useStore((state) => state.command);
  const { data } = useQuery("skills.extensions", {}, { topic: "skills" });
  if (!data || data.extensions.length === 0) return null;
  return (
    <ListCard title={words.extensions} about={words.extensionsAbout(command)} items={data.extensions}>
      {({ kind, name, state, detail }) => (
        <li key={`${kind}.${name}`} className="px-5 py-3">
          <div className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{name}</span>
            <span className="text-small text-muted">{words.kinds[kind]}</span>
            <Badge tone={tones[state]}>{words.extensionStates[state]}</Badge>
          </div>
          <p className="text-small text-muted">{say(detail)}</p>
        </li>
      )}
    </ListCard>
  );
}
