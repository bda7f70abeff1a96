/** Which events a hook stands guard at: one whose own failure is to stop the agent, or to make it ask. */
import type { Config } from "../hooks/config.ts"
import type { FoundHook } from "./check.ts"

const isGuard = (hook: FoundHook, { hooks: settings = {} }: Config): boolean => {
  const own = Object.hasOwn(settings, hook.hook) ? settings[hook.hook] : undefined
  const policy = own?.onFailure ?? hook.fields["onFailure"] ?? "allow"
  return (own?.enabled ?? hook.enabled) && policy !== "allow"
}

export const guardedEvents = (
  hooks: readonly FoundHook[],
  configs: Readonly<Record<FoundHook["owner"], Config>>
): readonly string[] => [
  ...new Set(hooks.filter((hook) => isGuard(hook, configs[hook.owner])).flatMap(({ on }) => on))
]
