// Signing in a phone: a link as a code for its camera, if there is an address that the phone can reach.
import { useEffect, useState } from "react";
import type { ResultOf } from "../../../../src/server/protocol.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SkeletonLines } from "../../components/states.tsx";
import { useMutation } from "../../wire/hooks.tsx";
import * as settingsTexts from "../../words/settings.ts";

export function PhoneCode({ onClose }: { onClose(): void }) {
  const words = useTopic(settingsTexts).phone;
  const { run, problem } = useMutation("web.link", { isQuiet: true });
  const [link, setLink] = useState<ResultOf<"web.link">>();
  useEffect(() => {
    void run({}).then((outcome) => outcome.ok && setLink(outcome.result));
  }, [run]);
  return (
    <Dialog title={words.title} width="narrow" onClose={onClose} problem={problem?.message}>
      {link === undefined && problem === undefined && <SkeletonLines count={4} />}
      {link?.code && (
        <div className="flex flex-col items-center gap-4">
          <CodePicture rows={link.code} />
          <p className="text-center text-small text-muted">{words.scan}</p>
        </div>
      )}
      {link && !link.code && (
        <div className="flex flex-col items-start gap-3 text-small">
          <p>{words.unreachable}</p>
          <Link to={toPath("settings", "gateway")} className="text-accent underline underline-offset-2">
            {words.settings}
          </Link>
        </div>
      )}
    </Dialog>
  );
}

/** With the light border that cameras look for, in both themes. */
function CodePicture({ rows }: { rows: string[] }) {
  const label = useTopic(settingsTexts).phone.code;
  const size = rows.length + 8;
  const path = rows.flatMap((row, down) =>
    [...row.matchAll(/#+/g)].map(
      ({ index, 0: run }) => `M${index + 4} ${down + 4}h${run.length}v1h-${run.length}z`,
    ),
  );
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className="w-60 rounded-control">
      <rect width={size} height={size} fill="#fff" />
      <path d={path.join("")} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
