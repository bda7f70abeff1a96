/** Which events a hook stands guard at: one whose own failure is to stop the agent, or to make it ask. */

import type { Guard } from "../../state/manifest.ts"
import type { FoundHook } from "./check.ts"
import { type Plan, settingsOf, sourceOf } from "./generate.ts"

const policyOf = (hook: FoundHook, settings: Plan["settings"]): unknown =>
  settingsOf(settings, hook)?.onFailure ?? hook.fields["onFailure"] ?? "allow"

const isGuard = (hook: FoundHook, settings: Plan["settings"]): boolean => {
  const own = settingsOf(settings, hook)
  // One that says itself that it is off may be switched on at any time.
  return (own?.enabled !== false || !hook.enabled) && policyOf(hook, settings) !== "allow"
}

export const guardedEvents = (hooks: readonly FoundHook[], settings: Plan["settings"]): readonly string[] => [
  ...new Set(hooks.filter((hook) => isGuard(hook, settings)).flatMap(({ on }) => on))
]

/** Those that a session does not lose while it lasts. What comes with hooktape is in every build. */
export const guardsOf = (hooks: readonly FoundHook[], settings: Plan["settings"]): readonly Guard[] =>
  hooks.flatMap((hook): readonly Guard[] => {
    const { digest, on, owner, trustedAt = 0 } = hook
    if (owner === "hooktape" || digest === undefined) return []
    const isOff = settingsOf(settings, hook)?.enabled === false || !hook.enabled
    if (isOff || policyOf(hook, settings) !== "block") return []
    return [{ name: hook.hook, owner, digest, source: sourceOf(hook), events: on, trustedAt }]
  })
