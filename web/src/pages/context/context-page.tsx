// Context: what the next request of a conversation would send, as it stands now.
import { Layers } from "lucide-react";
import { navigate, toPath, usePlace } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { Select } from "../../components/field.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { useSessionNames } from "../chat/use-session-names.ts";
import { RequestCard } from "./request-card.tsx";
import { CacheCard, SinceCard } from "./since-card.tsx";
import { WindowCard } from "./window-card.tsx";

export function ContextPage() {
  const words = useWords().context;
  const { pages, toChat } = useWords().shell;
  const { rest } = usePlace();
  const nameOf = useSessionNames();
  const query = useQuery("chat.list", {}, { topic: "usage" });
  const sessions = query.data?.sessions ?? [];
  const current = rest[0] ?? sessions[0]?.key;
  const isListed = sessions.some(({ key }) => key === current);
  const choice = current !== undefined && (
    <Select
      aria-label={words.session}
      value={current}
      onChange={({ target }) => navigate(toPath("context", target.value))}
      className="max-w-72"
    >
      {!isListed && <option value={current}>{nameOf(current)}</option>}
      {sessions.map(({ key }) => (
        <option key={key} value={key}>
          {nameOf(key)}
        </option>
      ))}
    </Select>
  );
  return (
    <Page title={pages.context} about={words.about} actions={choice}>
      {current !== undefined ? (
        <Request key={current} sessionKey={current} />
      ) : (
        <Loaded query={query} lines={8}>
          {() => (
            <EmptyState
              icon={Layers}
              title={words.noSessions}
              action={<Button onClick={() => navigate(toPath("chat"))}>{toChat}</Button>}
            >
              {words.noSessionsHint}
            </EmptyState>
          )}
        </Loaded>
      )}
    </Page>
  );
}

/** Asked anew after every turn, and when a file of memory changes. */
function Request({ sessionKey }: { sessionKey: string }) {
  const query = useQuery("context.inspect", { sessionKey }, { topic: "memory" });
  return (
    <Loaded query={query} lines={8}>
      {(view) => (
        <>
          <WindowCard view={view} />
          <RequestCard view={view} />
          <div className="grid items-start gap-6 md:grid-cols-2">
            <CacheCard view={view} />
            {view.diff.last && <SinceCard since={view.diff} at={view.diff.last.at} />}
          </div>
        </>
      )}
    </Loaded>
  );
}
