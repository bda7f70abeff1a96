/** How one native event's reply travels, as data: the one place an agent's rules are written down. */
import type { Json } from "../../events/intents.ts"
import type { Shape } from "./shape.ts"

/** What can be said about one wish: `permission` is two, because agents know one without the other. */
export type Wish = "context" | "allow" | "ask" | "input" | "output" | "hint" | "block"

export type Way =
  /** Nothing carries it; the reason is for people. */
  | { readonly no: string }
  /**
   * A field of the document on standard output, by its dotted name. `value` stands where the wish itself is no value. `orExit` is
   * for a block: the exit code that says it as well, should standard output be gone.
   */
  | {
      readonly at: string
      readonly value?: Json
      readonly with?: { readonly [at: string]: Json }
      readonly orExit?: 2
    }
  /** The reason on standard error, and exit code 2. */
  | { readonly exit: 2 }
  /** The agent does so without being told. */
  | { readonly unsaid: string }

export type Ways = { readonly [W in Wish]?: Way }

/** One event's rules. `http` overrides single ways of `command`; an absent way is a `no`. */
export interface Rules {
  /** The document's shape; closed. None where the agent reads no document. */
  readonly output?: Shape
  readonly command: Ways
  readonly http?: Ways
  /** A block as JSON, for a reason that standard error cannot carry. */
  readonly blockAsJson?: Way
}

export const no = (reason: string): Way => ({ no: reason })
export const at = (
  path: string,
  value?: Json,
  also?: { readonly [at: string]: Json }
): Extract<Way, { at: string }> => ({
  at: path,
  ...(value === undefined ? {} : { value }),
  ...(also === undefined ? {} : { with: also })
})
export const exit2: Way = { exit: 2 }
/** A block as JSON, said by exit code where standard output is gone. */
export const orExit2 = (way: Extract<Way, { at: string }>): Way => ({ ...way, orExit: 2 })
