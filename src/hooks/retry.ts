/** How often a hook is tried while it fails. */
import type { HookDefinition } from "./defineHook.ts"
import { toMillis } from "./duration.ts"
import type { Retry } from "./hookOptions.ts"

export interface Retrying {
  readonly attempts: number
  readonly delayMs: number
}

const defaultDelayMs = 100

/** Undefined where nothing is said of it. */
export const retryOf = ({ retry }: Pick<HookDefinition, "retry">): Retrying | undefined => {
  if (retry === undefined) return undefined
  const { attempts, delay = defaultDelayMs }: Retry = typeof retry === "number" ? { attempts: retry } : retry
  return { attempts, delayMs: toMillis(delay) }
}
