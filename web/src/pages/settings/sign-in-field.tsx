// Signing in to a host with a subscription, in place of a key: a page to open and a code to type there.
import { ExternalLink, LogIn, LogOut } from "lucide-react";
import { useEffect, useState } from "react";
import type { ResultOf } from "../../../../src/api/index.ts";
import type { HostCard } from "../../../../src/api/models/models.ts";
import { useTopic } from "../../app/preferences.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { useMutation } from "../../wire/hooks.tsx";
import * as settingsTexts from "../../words/settings.ts";

export function SignInField({ host }: { host: HostCard }) {
  const words = useTopic(settingsTexts).model;
  const login = useMutation("models.login");
  const logout = useMutation("models.logout");
  const [isSignedIn, setIsSignedIn] = useState(host.signIn?.isSignedIn === true);
  const [begun, setBegun] = useState<ResultOf<"models.login">>();
  useSignInState(begun === undefined ? undefined : host.name, (outcome) => {
    setBegun(undefined);
    if (outcome.state === "done") setIsSignedIn(true);
    else if (outcome.reason) showToast({ text: outcome.reason, tone: "bad" });
  });
  const begin = async () => {
    const outcome = await login.run({ host: host.name });
    if (outcome.ok) setBegun(outcome.result);
  };
  const end = async () => {
    if ((await logout.run({ host: host.name })).ok) setIsSignedIn(false);
  };
  return (
    <div className="flex flex-col items-start gap-2" aria-live="polite">
      {host.isUntried && <p className="text-small text-muted">{words.untried}</p>}
      {isSignedIn && <p className="text-small">{words.signedIn}</p>}
      {begun !== undefined && (
        <div className="flex flex-col gap-1">
          <p>{words.openPage}</p>
          <p className="font-mono text-title select-all">{begun.code}</p>
          <a
            href={begun.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1 break-all text-accent underline underline-offset-2"
          >
            {begun.url}
            <ExternalLink aria-hidden className="size-3.5" />
          </a>
          <p className="text-small text-muted">{words.waitingForSignIn}</p>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon={LogIn} isBusy={login.isRunning} onClick={() => void begin()}>
          {isSignedIn ? words.signInAgain : words.signIn(host.label)}
        </Button>
        {isSignedIn && (
          <Button icon={LogOut} isBusy={logout.isRunning} onClick={() => void end()}>
            {words.signOut}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Asks again and again until the sign-in is over, or the form is closed. */
function useSignInState(
  host: string | undefined,
  onEnd: (outcome: ResultOf<"models.login-state">) => void,
): void {
  const { run } = useMutation("models.login-state", { isQuiet: true });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is done at the end belongs to the attempt that began it
  useEffect(() => {
    let isOver = host === undefined;
    const ask = async () => {
      while (!isOver && host !== undefined) {
        const outcome = await run({ host });
        if (isOver) return;
        if (outcome.ok && outcome.result.state === "waiting") continue;
        isOver = true;
        onEnd(outcome.ok ? outcome.result : { state: "failed", reason: outcome.problem.message });
      }
    };
    void ask();
    return () => {
      isOver = true;
    };
  }, [host, run]);
}
