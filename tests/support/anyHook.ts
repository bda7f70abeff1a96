/** A hook that a test puts together from parts: the compiler cannot see whether it runs in the background. */
import {
  defineHook,
  type ForegroundDefinition,
  type Hook,
  type HookDefinition
} from "../../src/hooks/defineHook.ts"

export const anyHook = (definition: HookDefinition): Hook =>
  defineHook(definition as unknown as ForegroundDefinition)
