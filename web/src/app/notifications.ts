// Whether this browser shows notifications: asked for by the person, allowed by the browser, and kept in its storage.
import { useState } from "react";

const name = "nanobot.notifications";

export type NotificationState = "on" | "off" | "denied";

export function isNotifying(): boolean {
  return readState() === "on";
}

function readState(): NotificationState {
  if (typeof Notification === "undefined" || Notification.permission === "denied") return "denied";
  return Notification.permission === "granted" && localStorage.getItem(name) === "on" ? "on" : "off";
}

export function useNotifications(): [NotificationState, (isOn: boolean) => Promise<void>] {
  const [state, setState] = useState(readState);
  const change = async (isOn: boolean) => {
    localStorage.setItem(name, isOn ? "on" : "off");
    if (isOn && typeof Notification !== "undefined") await Notification.requestPermission();
    setState(readState());
  };
  return [state, change];
}
