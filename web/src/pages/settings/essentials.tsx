// The settings that most people look for, in plain words. Everything else is behind "All settings".
import { ChevronRight, Smartphone } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { SandboxNote } from "../../app/notices.tsx";
import { useNotifications } from "../../app/notifications.ts";
import { usePreferences, useTopic, useWords } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Input, Select, Switch, Tabs } from "../../components/field.tsx";
import { useStore } from "../../wire/hooks.tsx";
import * as settingsTexts from "../../words/settings.ts";
import { ModelCard } from "./model-form.tsx";
import { PhoneCode } from "./phone-code.tsx";
import type { Settings } from "./use-settings.ts";

const paths = {
  name: ["agents", "defaults", "botName"],
  zone: ["agents", "defaults", "timezone"],
  zoneMode: ["agents", "defaults", "timezoneMode"],
  approval: ["tools", "approval"],
  monthly: ["budget", "month", "money"],
  dream: ["agents", "defaults", "dream", "enabled"],
};

export function Essentials({ settings }: { settings: Settings }) {
  return (
    <>
      <ModelCard />
      <Card className="divide-y divide-line">
        <AppearanceRows />
        <AssistantRows settings={settings} />
        <LimitRows settings={settings} />
        <DeviceRows />
      </Card>
      <AllSettings />
    </>
  );
}

interface RowProps {
  title: string;
  about: ReactNode;
  problem?: string | undefined;
  /** Next to the text also on a phone. */
  isSwitch?: boolean;
  /** With the id that the label is for. */
  children(id: string): ReactNode;
}

function Row({ title, about, problem, isSwitch = false, children }: RowProps) {
  const id = useId();
  return (
    <div
      className={`grid gap-x-6 gap-y-2 px-5 py-4 md:items-center ${isSwitch ? "grid-cols-[minmax(0,1fr)_auto]" : "md:grid-cols-[minmax(0,1fr)_18rem]"}`}
    >
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {title}
        </label>
        <p className="text-small text-muted">{about}</p>
        {problem && (
          <p role="alert" className="mt-1 text-small text-bad">
            {problem}
          </p>
        )}
      </div>
      <div className="flex min-w-0 md:justify-end">{children(id)}</div>
    </div>
  );
}

/** Of this browser; they hold at once. */
function AppearanceRows() {
  const settings = useTopic(settingsTexts);
  const { shell } = useWords();
  const words = settings.essentials;
  const { theme, setTheme, language, setLanguage } = usePreferences();
  const [notifications, notify] = useNotifications();
  return (
    <>
      <Row title={shell.language} about={words.languageAbout}>
        {(id) => (
          <Select
            id={id}
            value={language}
            onChange={({ target }) => setLanguage(target.value === "en" ? "en" : "zh-CN")}
          >
            <option value="en">English</option>
            <option value="zh-CN">简体中文</option>
          </Select>
        )}
      </Row>
      <Row title={shell.theme} about={words.themeAbout}>
        {() => <Tabs label={shell.theme} tabs={shell.themes} value={theme} onChange={setTheme} />}
      </Row>
      <Row
        title={shell.notifications}
        about={notifications === "denied" ? shell.notificationsDenied : shell.notificationsHint}
        isSwitch
      >
        {(id) => (
          <Switch
            id={id}
            label={shell.notifications}
            isOn={notifications === "on"}
            isDisabled={notifications === "denied"}
            onChange={(isOn) => void notify(isOn)}
          />
        )}
      </Row>
    </>
  );
}

function AssistantRows({ settings }: { settings: Settings }) {
  const words = useTopic(settingsTexts).essentials;
  const { change, problemOf } = settings;
  const chooseZone = (zone: string) => {
    change(paths.zone, zone || null);
    // A mode in the file would decide instead.
    if (settings.isOwn(paths.zoneMode)) change(paths.zoneMode, null);
  };
  const zone = String(settings.valueOf(paths.zone) ?? "");
  return (
    <>
      <Row title={words.name} about={words.nameAbout} problem={problemOf(paths.name)}>
        {(id) => (
          <Input
            id={id}
            autoComplete="off"
            value={String(settings.valueOf(paths.name) ?? "")}
            onChange={({ target }) => change(paths.name, target.value || null)}
          />
        )}
      </Row>
      <Row title={words.zone} about={words.zoneAbout} problem={problemOf(paths.zone)}>
        {(id) => (
          <Select id={id} value={zone} onChange={({ target }) => chooseZone(target.value)}>
            <option value="">{words.zoneOfComputer}</option>
            {listZones(zone).map((each) => (
              <option key={each} value={each}>
                {each.replaceAll("_", " ")}
              </option>
            ))}
          </Select>
        )}
      </Row>
      <Row
        title={words.memory}
        about={
          <>
            {words.memoryAbout}{" "}
            <Link to={toPath("memory")} className="text-accent underline underline-offset-2">
              {words.openMemory}
            </Link>
          </>
        }
        isSwitch
      >
        {(id) => (
          <Switch
            id={id}
            label={words.memory}
            isOn={settings.valueOf(paths.dream) === true}
            onChange={(isOn) => change(paths.dream, isOn)}
          />
        )}
      </Row>
    </>
  );
}

/** With the one that is set, whatever it is. */
function listZones(current: string): string[] {
  const known = Intl.supportedValuesOf("timeZone");
  return current === "" || known.includes(current) ? known : [current, ...known];
}

function LimitRows({ settings }: { settings: Settings }) {
  const words = useTopic(settingsTexts).essentials;
  const { change, problemOf } = settings;
  const limit = settings.valueOf(paths.monthly);
  return (
    <>
      <Row
        title={words.approvals}
        about={
          <>
            {words.approvalsAbout}
            <SandboxNote />
          </>
        }
        problem={problemOf(paths.approval)}
      >
        {(id) => (
          <Select
            id={id}
            value={String(settings.valueOf(paths.approval) ?? "ask")}
            onChange={({ target }) => change(paths.approval, target.value)}
          >
            {Object.entries(words.approvalChoices).map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Row>
      <Row
        title={words.spending}
        about={
          <>
            {words.spendingAbout}{" "}
            <Link to={toPath("usage")} className="text-accent underline underline-offset-2">
              {words.openUsage}
            </Link>
          </>
        }
        problem={problemOf(paths.monthly)}
      >
        {(id) => (
          <Input
            id={id}
            inputMode="decimal"
            placeholder={words.noLimit}
            value={limit === undefined || limit === null ? "" : String(limit)}
            onChange={({ target: { value } }) => change(paths.monthly, toAmount(value))}
          />
        )}
      </Row>
    </>
  );
}

/** What is no number stays text, which the gateway rejects with a reason. */
function toAmount(text: string): number | string | null {
  if (text.trim() === "") return null;
  return text.endsWith(".") || !Number.isFinite(Number(text)) ? text : Number(text);
}

function DeviceRows() {
  const { essentials: words, phone } = useTopic(settingsTexts);
  const command = useStore((state) => state.command);
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <Row title={phone.title} about={phone.about}>
        {() => (
          <Button icon={Smartphone} onClick={() => setIsShown(true)}>
            {phone.show}
          </Button>
        )}
      </Row>
      <Row title={words.backup} about={words.backupAbout}>
        {() => (
          <div className="w-full min-w-0">
            <CodeBlock code={`${command} backup`} />
          </div>
        )}
      </Row>
      {isShown && <PhoneCode onClose={() => setIsShown(false)} />}
    </>
  );
}

function AllSettings() {
  const words = useTopic(settingsTexts).essentials;
  return (
    <Link
      to={toPath("settings", "all")}
      className="flex items-center gap-4 rounded-card border border-line bg-surface px-5 py-4 transition-colors hover:border-strong-line"
    >
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{words.all}</span>
        <span className="block text-small text-muted">{words.allAbout}</span>
      </span>
      <ChevronRight aria-hidden className="size-5 shrink-0 text-muted" />
    </Link>
  );
}
