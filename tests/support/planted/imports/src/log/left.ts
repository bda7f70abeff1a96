/** Planted, with right.ts: a cycle. */
import { right } from "./right.ts"

export const left = (): unknown => right
