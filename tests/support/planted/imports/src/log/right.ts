/** Planted, with left.ts: a cycle. */
import { left } from "./left.ts"

export const right = (): unknown => left
