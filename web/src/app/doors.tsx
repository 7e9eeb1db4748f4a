// What stands before the pages: signing in, and the first start.
import { Suspense, useEffect } from "react";
import { useQuery } from "../wire/use-query.ts";
import { useStore } from "../wire/wire-context.tsx";
import { useWords } from "../words/use-words.ts";
import { LinkBanner } from "./link-banner.tsx";
import { view } from "./routes.ts";
import { useToasts } from "./toasts.tsx";

const views = {
  "sign-in": view(() => import("../pages/sign-in/sign-in-page.tsx"), "SignInPage"),
  welcome: view(() => import("../pages/welcome/welcome-page.tsx"), "WelcomePage"),
};

export type DoorName = keyof typeof views;

/** The one that is closed, if any. */
export function useDoor(): DoorName | undefined {
  const isSignedOut = useStore((state) => state.link === "signed-out");
  const isOwner = useStore((state) => state.viewer?.role === "owner");
  const { data } = useQuery("models.state", {}, { topic: "config", isEnabled: isOwner });
  useOtherPersonToast();
  if (isSignedOut) return "sign-in";
  return isOwner && data?.isFirstRun === true ? "welcome" : undefined;
}

/** Says why a guest's link did nothing where the browser is signed in. */
function useOtherPersonToast(): void {
  const words = useWords().settings.signIn;
  const { showToast } = useToasts();
  const isOther = useStore((state) => state.refusal === "other");
  useEffect(() => {
    if (isOther) showToast({ text: words.other, tone: "bad", ms: 15_000 });
  }, [isOther, words, showToast]);
}

export function Door({ name }: { name: DoorName }) {
  const View = views[name];
  return (
    <div className="flex h-full flex-col">
      {name !== "sign-in" && <LinkBanner />}
      <div className="min-h-0 flex-1">
        <Suspense fallback={null}>
          <View />
        </Suspense>
      </div>
    </div>
  );
}
