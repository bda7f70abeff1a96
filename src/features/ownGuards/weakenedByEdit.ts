/** What a tool call with paths would do to the guards of the agent that makes it, in words; nothing for almost every call. */
import { resolve } from "node:path"
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { patchedFiles } from "../../agents/toolCall.ts"
import { assignment } from "./assignment.ts"
import { type GuardedPlace, guardedAt, isHolder, meant } from "./guarded.ts"

/** Files from which a shell or an agent takes variables. */
const ofVariables =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.envrc|\.(?:bash|zsh)(?:rc|env|_profile|_login|profile|login)|\.profile|\.pam_environment|config\.fish)$|\/(?:fish\/conf\.d\/[^/]+\.fish|environment\.d\/[^/]+\.conf)$|^\/etc\/environment$/

const naming = /path|file|dest|source|target|uri|from|to|location|name|dir/i
/** Deeper is no tool's list of files. */
const deepest = 6
/** To look up more would hold the call up. */
const maxPaths = 2000

/** What stands under a name that a path may have, at any depth. */
const pathsIn = (input: Json, isNamed = false, depth = 0): readonly string[] => {
  if (typeof input === "string") return isNamed ? [input] : []
  if (typeof input !== "object" || input === null || depth > deepest) return []
  const members: readonly (readonly [string, Json | undefined])[] = Object.entries(input)
  const isList = Array.isArray(input)
  return members.flatMap(([key, value]) =>
    value === undefined ? [] : pathsIn(value, isList ? isNamed : naming.test(key), depth + 1)
  )
}

/** `file:///…/%2eclaude` */
const plainPath = (path: string): string => {
  if (!path.startsWith("file://")) return path
  const bare = path.slice("file://".length)
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

const textIn = (input: Json): string =>
  typeof input === "string"
    ? input
    : Object.values(input ?? {})
        .filter((one) => typeof one === "string")
        .join("\n")

const editedPaths = (tool: Tool): readonly string[] => [
  ...(tool.path === undefined ? [] : [tool.path]),
  ...(tool.paths ?? []),
  ...(tool.name === "apply_patch"
    ? patchedFiles(textIn(tool.input)).flatMap(({ from, path }) =>
        from === undefined ? [path] : [from, path]
      )
    : []),
  ...(tool.kind === "mcp" ? pathsIn(tool.input) : [])
]

/** What an edit would do, or a tool of somebody else's that is given paths. */
export const weakenedByEdit = (tool: Tool, place: GuardedPlace): string | undefined => {
  const guarded = guardedAt(place)
  const paths = new Set(editedPaths(tool))
  if (tool.kind === "mcp" && paths.size > maxPaths) return "names more paths than can be looked at"
  for (const path of paths) {
    const whole = resolve(
      place.cwd,
      plainPath(path).replace(/^~(?=\/)/, () => place.home)
    )
    // A server's tool may move or delete all of it.
    const isWhole = tool.kind === "mcp" && isHolder(whole)
    const what = meant(whole, guarded) ?? (isWhole ? "the hook settings of an agent" : undefined)
    if (what !== undefined) return `would change ${what} (${path})`
    const variable = ofVariables.test(whole) ? assignment.exec(textIn(tool.input))?.[1] : undefined
    if (variable !== undefined)
      return `would set ${variable} in ${path}, which can leave an agent without its hooks`
  }
  return undefined
}
