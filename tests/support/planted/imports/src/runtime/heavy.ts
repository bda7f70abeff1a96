/** Planted: the hot path reaches Effect through a module that is free to use it. */
import { act } from "../log/act.ts"

export const run = act
