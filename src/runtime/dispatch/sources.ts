/** Time and randomness of what hooktape does by itself. */
import { randomBytes } from "node:crypto"
import type { Sources } from "../../../events/ids.ts"

export const dispatchSources: Sources = { now: Date.now, random: randomBytes }
