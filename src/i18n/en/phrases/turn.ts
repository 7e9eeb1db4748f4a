// Why a turn ended without an answer, other than by its model, in English.

export const turnPhrases = {
  "turn.died": ({ times }: { times: number }) => `It was interrupted ${times} times.`,
  "turn.internal": ({ reason }: { reason: string }) =>
    `Something went wrong inside nanobot (${reason}). The log has the details.`,
};
