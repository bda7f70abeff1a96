/** Planted: an import of nothing. */
import { nothing } from "./nothing.ts"

export const something = nothing
