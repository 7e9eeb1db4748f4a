// What an operator lets a home do beyond its own data. The answer is in the environment that the home is given, so that no
// config of the home can change it. Without the variable nothing is limited: the owner is the operator.

/** Own tools and channels; programs outside of a sandbox; addresses that are not public. */
export const freedoms = ["code", "commands", "network"] as const;
export type Freedom = (typeof freedoms)[number];

export const policyVariable = "NANOBOT_HOME_ALLOWED";

/** Whether the home is run by someone other than its owner. */
export function isManaged(env: NodeJS.ProcessEnv): boolean {
  return env[policyVariable] !== undefined;
}

export function isAllowed(env: NodeJS.ProcessEnv, freedom: Freedom): boolean {
  return env[policyVariable]?.split(",").includes(freedom) ?? true;
}
