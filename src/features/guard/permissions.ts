/** `permissions`: owner or mode of what the system or the whole home directory lives on. */

import { type Rule, readOptions, shown } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { within } from "./folders.ts"
import { absolute, isTemporary } from "./paths.ts"
import type { ShellState } from "./shellState.ts"

/** What is in them belongs to the system, however deep. */
const system = [
  "/etc",
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib64",
  "/boot",
  "/proc",
  "/sys",
  "/System",
  "/Library"
]

/** Fine to change what is in them, not as a whole. */
const isTop = (path: string, { place }: ShellState): boolean =>
  path === place.home || /^\/[^/]*$/.test(path) || place.project.startsWith(`${path}/`)

/** Everybody may write, or nobody may do anything. */
const isDrastic = (mode: string): boolean =>
  /^0?[0-7]?[0-7][0-7][2367]$/.test(mode) ||
  /^0?0?0?0$/.test(mode) ||
  /^(?:a|u|ugo)(?:=|-(?=[rwx]*r)(?=[rwx]*x)[rwx]+)(?:,|$)/.test(mode) ||
  /^(?:a|o|ugo|uo|go)+[+=][rxXst]*w/.test(mode)

/** Whoever runs it has the rights of its owner from then on. */
const handsOnRights = (mode: string): boolean =>
  /^0?[4-7][0-7]{3}$/.test(mode) || /(?:^|,)(?:[goa]*[ua][ugoa]*)?[+=][rwxX]*s/.test(mode)

const pathsOf = (operands: readonly Argument[], state: ShellState): readonly string[] =>
  operands.flatMap(({ values }) =>
    values.flatMap((value) => absolute(value.replace(/\/\*$/, "/"), state) ?? [])
  )

export const permissions: Rule = ({ name, args, state }) => {
  if (name !== "chmod" && name !== "chown" && name !== "chgrp") return undefined
  const { flags, operands } = readOptions(args)
  const [what, ...targets] = operands
  if (what === undefined || [...flags].some((flag) => flag.startsWith("--reference"))) return undefined
  const recursive = flags.has("R") || flags.has("--recursive")
  const drastic = name === "chmod" && isDrastic(first(what))
  const handsOn = name === "chmod" && handsOnRights(first(what))
  const found = pathsOf(targets, state).find((path) => {
    if (!state.remote && within(path, state.place.project)) return false
    if (handsOn) return true
    if (isTemporary(path, state)) return false
    const ofSystem = path === "/" || system.some((folder) => within(path, folder))
    if (!recursive) return drastic && (ofSystem || path === state.place.home)
    return drastic || ofSystem || isTop(path, state)
  })
  if (found === undefined) return undefined
  const how = `\`${name}${recursive ? " -R" : ""} ${shown(first(what), 20)}\``
  return { rule: "permissions", reason: `${how} changes who may use ${shown(found)}, outside the project.` }
}
