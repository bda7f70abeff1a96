/** Where a command writes: a port, so that a test can read along. `render/terminal.ts` is the one that writes to streams. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Style } from "./render/style.ts"

/** Something long, told on a terminal while it lasts. */
export interface Progress {
  readonly at: (done: number, total: number | undefined, what?: string) => void
  readonly end: () => void
}

export interface ScreenShape {
  /** What was asked for. Ends the command without a word when the reader has gone. */
  readonly out: (text: string) => Effect.Effect<void>
  /** What a person should know besides. `exact`: lines to be pasted, or of somebody else's, are not broken where they are long. */
  readonly note: (text: string, how?: "exact") => Effect.Effect<void>
  /** Whether a person reads the notes as they come: a remark that a program would have to read past is kept back. */
  readonly watched: boolean
  readonly style: Style
  /** Columns of the terminal; undefined where a line may be as long as it is. */
  readonly width: number | undefined
  readonly progress: (label: string) => Progress
}

export class Screen extends Context.Tag("hooktape/Screen")<Screen, ScreenShape>() {}
