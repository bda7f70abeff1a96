/** Planted: one of ours that goes through the public surface. */
import { surface } from "../index.ts"

export const own = surface
