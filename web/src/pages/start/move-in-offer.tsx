// Where another assistant has a home on this computer, its memory, skills and chats can be brought along.
import { PackageOpen } from "lucide-react";
import { useState } from "react";
import type { ResultOf } from "../../../../src/server/protocol.ts";
import { useWords } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { useMutation, useQuery } from "../../wire/hooks.tsx";

export function MoveInOffer() {
  const { data } = useQuery("move-in.find", {});
  return data?.homes.map((home) => <ForeignHome key={home.folder} home={home} />);
}

function ForeignHome({ home }: { home: ResultOf<"move-in.find">["homes"][number] }) {
  const words = useWords().start.moveIn;
  const [secrets, setSecrets] = useState(false);
  const [count, setCount] = useState<number>();
  const moving = useMutation("move-in.run");
  const move = async () => {
    const outcome = await moving.run({ from: home.folder, secrets });
    if (outcome.ok) setCount(outcome.result.items.length);
  };
  return (
    <Card className="flex flex-col gap-3 p-5">
      <div className="flex gap-3">
        <PackageOpen aria-hidden className="mt-0.5 size-5 shrink-0 text-accent" />
        <div>
          <h2 className="font-semibold">{words.found(words.programs[home.program] ?? home.program)}</h2>
          <p className="text-small text-muted">{words.about}</p>
        </div>
      </div>
      {count === undefined ? (
        <div className="flex flex-wrap items-center gap-4">
          <Button isBusy={moving.isRunning} onClick={() => void move()}>
            {words.run}
          </Button>
          <label className="flex items-center gap-2 text-small">
            <input type="checkbox" checked={secrets} onChange={({ target }) => setSecrets(target.checked)} />
            {words.secrets}
          </label>
        </div>
      ) : (
        <p className="text-small text-good">{words.done(count)}</p>
      )}
    </Card>
  );
}
