/** A handler whose code is loaded when it is called: for a subcommand that needs much which its neighbours do not. */
import * as Effect from "effect/Effect"
import type { Work } from "./Command.ts"

export const later = <M>(load: () => Promise<M>, work: (module: M) => Work): Work =>
  Effect.flatMap(Effect.promise(load), work)
