/** Our entries in an agent's settings: where they stand, and cutting one out without a trace. */
import type { Node } from "jsonc-parser"
import { type OurCommand, parseCommand } from "./command.ts"
import { dialects } from "./dialects.ts"
import * as Doc from "./document.ts"
import { type OurHttpHook, parseHttpHook } from "./httpHook.ts"
import type { InstallRecord } from "./record.ts"

/** One entry of ours, with the nodes around it from the inside out. */
export interface Registration extends OurCommand {
  /** The key it stands under, whatever its own last word says. */
  readonly under: string
  /** The command line, or the address that is called in its place. */
  readonly command: string
  readonly http?: Pick<OurHttpHook, "port" | "token">
  readonly handler: Node
  readonly handlers: Node
  readonly group: Node
  readonly groups: Node
  readonly eventProperty: Node
  readonly hooks: Node
  readonly hooksProperty: Node
}

const childrenOf = (node: Node | undefined, type: "object" | "array"): readonly Node[] =>
  node?.type === type ? (node.children ?? []) : []

/** An entry of ours as what it is; undefined for everybody else's. */
export const oursIn = (
  handler: Node | undefined
): (OurCommand & Pick<Registration, "command" | "http">) | undefined => {
  const field = (node: Node | undefined, name: string): unknown =>
    Doc.valueOf(Doc.propertyOf(node, name))?.value
  const command = field(handler, "command")
  if (typeof command === "string") {
    const ours = parseCommand(command)
    return ours && { ...ours, command }
  }
  const headers = Doc.valueOf(Doc.propertyOf(handler, "headers"))
  const ours = parseHttpHook(field(handler, "url"), (name) => field(headers, name))
  if (ours === undefined) return undefined
  const { url, port, token, ...rest } = ours
  return { ...rest, command: url, http: { port, token } }
}

/** In the order of the file; also from a `hooks` or an event that is written twice. */
export const registrationsOf = (root: Node | undefined): readonly Registration[] => {
  const found: Registration[] = []
  for (const hooksProperty of childrenOf(root, "object")) {
    const hooks = Doc.valueOf(hooksProperty)
    if (hooks === undefined || hooksProperty.children?.[0]?.value !== "hooks") continue
    for (const eventProperty of childrenOf(hooks, "object")) {
      const groups = Doc.valueOf(eventProperty)
      const under = String(eventProperty.children?.[0]?.value)
      for (const group of childrenOf(groups, "array")) {
        const nested = Doc.valueOf(Doc.propertyOf(group, "hooks"))
        // An agent without groups has its entries where others have these.
        const [handlers, entries] =
          nested === undefined ? [groups, [group]] : [nested, childrenOf(nested, "array")]
        for (const handler of entries) {
          const ours = oursIn(handler)
          if (ours === undefined || groups === undefined || handlers === undefined) continue
          found.push({
            ...ours,
            under,
            handler,
            handlers,
            group,
            groups,
            eventProperty,
            hooks,
            hooksProperty
          })
        }
      }
    }
  }
  return found
}

/** The root holds our hooks and what we opened the file with. */
const isAsWeMadeIt = (text: string, root: Node, { agent, hooksProperty }: Registration): boolean => {
  const opening = Object.entries(dialects[agent].opening ?? {})
  const others = (root.children ?? []).filter((child) => child !== hooksProperty)
  const isOpening = ({ children: [name, value] = [] }: Node): boolean =>
    opening.some(([key, constant]) => name?.value === key && value?.value === constant)
  return (
    others.length === opening.length &&
    others.every(isOpening) &&
    Doc.holdsOnly(text, root, hooksProperty, ...others)
  )
}

/**
 * The text without one entry, and without every container around it that held nothing else and that we made. With no
 * record every emptied container counts as ours, but for the file itself. `exact`: nobody wrote since we did.
 */
export const withoutOne = (
  text: string,
  root: Node,
  one: Registration,
  record: InstallRecord | undefined,
  exact: boolean
): string => {
  const made = (path: string): boolean => record === undefined || record.created[path] !== undefined
  const levels = [
    { child: one.handler, container: one.handlers, path: "", goes: one.handlers.children?.length === 1 },
    {
      child: one.group,
      container: one.groups,
      path: `hooks.${one.under}[]`,
      goes: made(`hooks.${one.under}`) && Doc.holdsOnly(text, one.groups, one.group)
    },
    {
      child: one.eventProperty,
      container: one.hooks,
      path: `hooks.${one.under}`,
      goes: made("hooks") && Doc.holdsOnly(text, one.hooks, one.eventProperty)
    },
    { child: one.hooksProperty, container: root, path: "hooks", goes: false }
  ]
  const level = levels.slice(one.handler === one.group ? 1 : 0).find(({ goes }) => !goes)
  if (level === undefined) return text
  const whole = record?.created[""]
  if (level.path === "hooks" && whole !== undefined && isAsWeMadeIt(text, root, one)) {
    return Doc.removeRoot(text, root, whole)
  }
  const trace = level.path === "" ? undefined : record?.created[level.path]
  return Doc.removeChild(text, level.container, level.child, {
    tail: trace?.tail ?? "",
    keepComma: exact && trace?.comma === false
  })
}
