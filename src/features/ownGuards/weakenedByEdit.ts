/** What a tool call with paths would do to the guards of the agent that makes it, in words; nothing for almost every call. */
import { resolve } from "node:path"
import type { Tool } from "../../../events/agentEvents.ts"
import type { Json } from "../../../events/intents.ts"
import { patchedFiles } from "../../agents/toolCall.ts"
import { assignment } from "./assignment.ts"
import { type GuardedPlace, guardedAt, holds, isHolder, lookingOnce, meant, physical } from "./guarded.ts"

/** Files from which a shell or an agent takes variables. */
const ofVariables =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|\.envrc|\.(?:bash|zsh)(?:rc|env|_profile|_login|profile|login)|\.profile|\.pam_environment|config\.fish)$|\/(?:fish\/conf\.d\/[^/]+\.fish|environment\.d\/[^/]+\.conf)$|^\/etc\/environment$/

const naming = /path|file|dest|source|target|uri|from|to|location|name|dir/i
/** Deeper is no tool's list of files. */
const deepest = 6
/** To look up more would hold the call up. */
const maxPaths = 2000

interface Named {
  readonly name: string
  readonly path: string
}

/** What stands under a name that a path may have, at any depth. */
const pathsIn = (input: Json, name = "", depth = 0): readonly Named[] => {
  if (typeof input === "string")
    return naming.test(name) && !input.includes("\n") ? [{ name, path: input }] : []
  if (typeof input !== "object" || input === null || depth > deepest) return []
  const members: readonly (readonly [string, Json | undefined])[] = Object.entries(input)
  const isList = Array.isArray(input)
  return members.flatMap(([key, value]) =>
    value === undefined ? [] : pathsIn(value, isList ? name : key, depth + 1)
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

const asNamed = (path: string): Named => ({ name: "path", path })

const editedPaths = (tool: Tool): readonly Named[] => [
  ...[tool.path ?? [], tool.paths ?? []].flat().map(asNamed),
  ...(tool.name === "apply_patch"
    ? patchedFiles(textIn(tool.input)).flatMap(({ from, path }) =>
        (from === undefined ? [path] : [from, path]).map(asNamed)
      )
    : []),
  // An edit has its paths where its agent says, and perhaps elsewhere as well.
  ...pathsIn(tool.input)
]

const taking =
  /(?:^|[^a-zA-Z])(?:move|mv|rename|delete|del|remove|rm|rmdir|unlink|trash|erase|wipe|purge)(?![a-z])|(?:Move|Rename|Delete|Remove|Unlink|Trash|Erase|Wipe|Purge)(?![a-z])/
const operating = /^(?:action|operation|op|method|mode|type)$/i

/** Whether it takes away what it is given, by its own name or by the operation that it is told. */
const takes = ({ input, name }: Tool): boolean =>
  taking.test(name.slice(name.lastIndexOf("__") + 1)) ||
  Object.entries(input ?? {}).some(
    ([key, value]) => operating.test(key) && typeof value === "string" && taking.test(value)
  )

/** Where something goes, nothing is taken away. */
const receiving = /dest|target|new|^to(?:$|[_A-Z])/

/** `..` behind a link leads elsewhere than it reads. Only then is the disk asked: every edit of an agent comes by here. */
const behindLink = (
  said: string,
  { cwd }: GuardedPlace,
  guarded: ReturnType<typeof guardedAt>
): string | undefined =>
  said.includes("..") ? meant(physical(said.startsWith("/") ? said : `${cwd}/${said}`), guarded) : undefined

/** What an edit would do, or a tool of somebody else's that is given paths. */
export const weakenedByEdit = (tool: Tool, place: GuardedPlace): string | undefined =>
  lookingOnce(() => weakenedBy(tool, place))

const weakenedBy = (tool: Tool, place: GuardedPlace): string | undefined => {
  const guarded = guardedAt(place)
  const paths = new Map(editedPaths(tool).map((one) => [one.path, one]))
  if (paths.size > maxPaths) return "names more paths than can be looked at"
  const takesAway = takes(tool)
  for (const { name, path } of paths.values()) {
    const said = plainPath(path).replace(/^~(?=\/|$)/, () => place.home)
    const whole = resolve(place.cwd, said)
    // A server's tool may move or delete all of it.
    const isWhole = tool.kind === "mcp" && isHolder(whole)
    const what =
      meant(whole, guarded) ??
      behindLink(said, place, guarded) ??
      (isWhole ? "the hook settings of an agent" : undefined) ??
      (takesAway && !receiving.test(name) ? holds(whole, guarded) : undefined)
    if (what !== undefined) return `would change ${what} (${path})`
    const variable = ofVariables.test(whole) ? assignment.exec(textIn(tool.input))?.[1] : undefined
    if (variable !== undefined)
      return `would set ${variable} in ${path}, which can leave an agent without its hooks`
  }
  return undefined
}
