/** Which parts a host has: a new one is a line here. */
import { openSearchIndex } from "../search/bringUp.ts"
import type { Part } from "./parts.ts"
import { projectionPart } from "./projectionPart.ts"

/** `file`: the log's, which is open already. */
export const hostParts = (file: string): readonly Part[] => [
  // Without it there would be no host: whoever is here has it.
  { name: "log", open: () => undefined },
  projectionPart({ name: "search", open: (most) => openSearchIndex(file, { most }) })
]
