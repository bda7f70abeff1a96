/** What a tool call with paths would do to the guards of the agent that makes it, in words; nothing for almost every call. */
import { resolve } from "node:path"
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { patchedFiles } from "../../adapters/toolCall.ts"
import { assignment } from "./assignment.ts"
import { type GuardedPlace, guardedAt, meant } from "./guarded.ts"

/** Files from which a shell or an agent takes variables. */
const ofVariables =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.envrc|\.(?:bash|zsh)(?:rc|env|_profile|_login|profile|login)|\.profile|config\.fish)$/

const pathsIn = (input: Json): readonly string[] =>
  typeof input === "object" && input !== null && !Array.isArray(input)
    ? Object.entries(input).flatMap(([key, value]) => {
        if (!/path|file|dest|source|target|uri|from|to/i.test(key)) return []
        return (Array.isArray(value) ? value : [value]).filter(
          (one): one is string => typeof one === "string"
        )
      })
    : []

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
  for (const path of new Set(editedPaths(tool))) {
    const whole = resolve(place.cwd, path.replace(/^file:\/\//, "").replace(/^~(?=\/)/, place.home))
    const what = meant(whole, guarded)
    if (what !== undefined) return `would change ${what} (${path})`
    const variable = ofVariables.test(whole) ? assignment.exec(textIn(tool.input))?.[1] : undefined
    if (variable !== undefined)
      return `would set ${variable} in ${path}, which can leave an agent without its hooks`
  }
  return undefined
}
