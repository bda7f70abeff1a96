/** Planted: an inline `type` keeps the import itself, so Schema is loaded after all. */
import { type Schema } from "effect/Schema"

export type Codec = Schema<string>
