/** Planted: a fact that knows who acts on it. */
import { act } from "../src/log/act.ts"

export const fact = act
