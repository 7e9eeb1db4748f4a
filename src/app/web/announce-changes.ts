// Tells open pages when a turn may have changed what they show: it has cost something, and may have written to memory.
import type { MessageBus } from "../../bus/bus.ts";
import type { EventHub } from "../../server/event-hub.ts";

export function announceChanges(bus: Pick<MessageBus, "onLive">, hub: EventHub): void {
  bus.onLive(({ body }) => {
    if (body.type !== "turn-end") return;
    hub.publish({ type: "changed", topic: "usage" });
    hub.publish({ type: "changed", topic: "memory" });
  });
}
