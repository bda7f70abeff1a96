/**
 * How far a state directory has been brought: one number in a file of a few bytes, the number of the last migration. Light: every
 * command looks at it, `--version` too. What a migration does is in src/tools/migrations.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { readRegular } from "./readRegular.ts"
import { hookFile } from "./startedFiles.ts"

/** What this version makes of a state directory. A test holds it to the last migration of the list. */
export const layout = 5

export const layoutFile = (state: string): string => join(state, "layout")

/** Versions before there was a number left this, and so does every version since. */
const isInstalled = (state: string): boolean => existsSync(hookFile(state))

/** The number that was reached: 0 where a version before numbers was here, undefined where nobody was. */
export const reachedLayout = (state: string): number | undefined => {
  try {
    const [, number] = /^(\d{1,6})\n?$/.exec(readRegular(layoutFile(state)).toString("latin1")) ?? []
    if (number !== undefined) return Number(number)
  } catch {
    // There is none, or it cannot be read: what stands there is told by what was installed.
  }
  return isInstalled(state) ? 0 : undefined
}

/** Whether somebody had a migration taken back, so that none runs by itself. */
export const isTakenBack = (state: string): boolean => {
  try {
    const { held } = JSON.parse(readRegular(join(state, "migrations.json")).toString()) as { held?: unknown }
    return held === true
  } catch {
    return false
  }
}

/** What a person should know before they use a state directory of another version; undefined where it is of this one. */
export const layoutHint = (state: string): string | undefined => {
  const reached = reachedLayout(state)
  if (reached === undefined || reached === layout) return undefined
  return reached < layout
    ? `${state} is as an earlier version left it. Run "hooktape migrate".`
    : `${state} is of a newer hooktape (layout ${reached}, this version knows ${layout}): what this one cannot read stays as it is. Update it.`
}
