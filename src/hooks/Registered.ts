/** A hook as the runtime has it. */
import type { Hook } from "./defineHook.ts"

/** A hook with where it came from, in registration order. */
export interface Registered {
  readonly hook: Hook
  /** The file it was found in. */
  readonly source: string
  /** Set when it must not run now, such as `not trusted` or `disabled in config.json`. */
  readonly withheld?: string
  /** Something that it cannot work without is not there now. */
  readonly lacking?: string
}
