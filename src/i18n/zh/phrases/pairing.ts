// Why access to the assistant was not given or taken away, in Chinese.
import type { pairingPhrases as english } from "../../en/phrases/pairing.ts";

export const pairingPhrases: typeof english = {
  "pairing.bad-person": ({ name }) => `“${name}”不能作为人的名字。请用字母、数字、- 和 _；“owner”已被占用。`,
  "pairing.no-code": ({ code }) => `没有配对码为 ${code} 的请求。配对码十分钟后失效。`,
  "pairing.not-paired": ({ sender }) => `${sender} 没有使用权限。`,
  "pairing.not-in-group": "给谁使用权限要在私聊里决定，不能在群里。",
  "pairing.closed": ({ reason }, { say }) => `${say(reason)}在此之前不接受新的人。`,
};
