/** Planted: a tool of ours that is not in the package of others. */
import { build } from "vite"

export const bundle = build
