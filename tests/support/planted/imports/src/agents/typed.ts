/** Not a violation: nothing of this import is left when a hook runs. */
import type { Schema } from "effect/Schema"
import { succeed } from "effect/Micro"

export type Codec = Schema<string>
export const small = succeed(1)
