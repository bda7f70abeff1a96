/** Hooks of a project that have the name of one of hooktape's guards: for whoever has those, they never run. */
import { reservedNames } from "../build/shipped.ts"
import type { Finding } from "./Finding.ts"

interface Named {
  readonly hook: string
  readonly file: string
  readonly owner: string
}

export const reservedFindings = (
  hooks: readonly Named[],
  near: (file: string) => string
): readonly Finding[] =>
  hooks
    .filter(({ hook, owner }) => owner !== "hooktape" && reservedNames.includes(hook))
    .map(({ file, hook }) => ({
      rule: "hook-replaced",
      level: "error",
      file: near(file),
      message: `its hook "${hook}" does not run: one that comes with hooktape has the same name`,
      remedy: "Give it another name."
    }))
