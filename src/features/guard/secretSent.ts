/** What all rules share that look for a secret on its way out: what they say, what is local, what comes in. */

import type { Call } from "./Call.ts"
import { expand } from "./expand.ts"
import { ownHost } from "./ownMachine.ts"
import type { Verdict } from "./rule.ts"
import { carries, carriesSecret, isSecretFile } from "./secretSources.ts"

export const said = (how: string, what: string): Verdict => ({
  rule: "secrets",
  reason: `\`${how}\` sends ${what} over the network.`
})

export const local = new RegExp(`^(?:https?://)?(?:[^/@]*@)?${ownHost}(?:[:/]|$)`, "i")

export const isLocal = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every((text) => local.test(text))

/** What comes in on standard input. */
export const givenSecret = ({ upstream, redirects, state }: Call): boolean =>
  redirects.some(({ operator, target }) => {
    if (operator === "<") return expand(target, state).some((path) => isSecretFile(path, state))
    return operator.startsWith("<<") && carriesSecret(target, state)
  }) ||
  (upstream.length > 0 && carries(upstream, state))

export const secretFile = (call: Call, paths: readonly string[]): string | undefined =>
  paths.find((path) => isSecretFile(path, call.state))
