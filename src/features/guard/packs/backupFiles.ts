/** Pack `backups`: files outside the project, in a folder that says that it holds backups, deleted one by one or as a list has them. */
import { type Call, type Rule, readOptions, shown } from "../Call.ts"
import { within } from "../folders.ts"
import { listedBy } from "../listed.ts"
import { absolute, isTemporary } from "../paths.ts"
import { unknown } from "../script.ts"

const removers = new Set(["rm", "unlink"])
const ofBackups = /\/(?:[\w.-]*[-_.])?(?:back-?ups?|snapshots|dumps)(?:[-_.][\w.-]*)?\//i

const holdsBackups = (value: string, { state }: Call): boolean => {
  const path = value.startsWith(unknown) ? undefined : absolute(value, state)
  const { home, project } = state.place
  return (
    path !== undefined &&
    ofBackups.test(path) &&
    !within(path, project) &&
    !isTemporary(path, state) &&
    // What programs keep of their own, editors among them.
    !path.startsWith(`${home}/.`)
  )
}

export const backupFiles: Rule = (call) => {
  const { args, fed, name, state, upstream } = call
  if (!removers.has(name) || state.remote || state.container !== undefined) return undefined
  const given = fed ? listedBy(upstream, state).targets : []
  const values = [...readOptions(args).operands, ...given].flatMap((one) => one.values)
  const found = values.find((value) => holdsBackups(value, call))
  return found === undefined
    ? undefined
    : {
        rule: "backups",
        reason: `\`${name}\` deletes ${shown(found.replaceAll(unknown, "…"))}, which is a backup by its folder.`
      }
}
