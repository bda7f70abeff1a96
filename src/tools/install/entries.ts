/** The entries of an agent's hook settings, whoever they are of: where they stand, with the nodes around each from the inside out. */
import type { Node } from "jsonc-parser"
import * as Doc from "./document.ts"

export interface Entry {
  /** The event it stands under. */
  readonly under: string
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

/** A member of an entry, as what it is. */
export const fieldOf = (handler: Node | undefined, name: string): unknown =>
  Doc.valueOf(Doc.propertyOf(handler, name))?.value

/** Whether it stands in one list with the entries of other events. */
export const isListed = ({ groups, hooks }: Pick<Entry, "groups" | "hooks">): boolean => groups === hooks

/** In the order of the file; also from a `hooks` or an event that is written twice. */
export const entriesOf = (root: Node | undefined): readonly Entry[] => {
  const found: Entry[] = []
  for (const hooksProperty of childrenOf(root, "object")) {
    const hooks = Doc.valueOf(hooksProperty)
    if (hooks === undefined || hooksProperty.children?.[0]?.value !== "hooks") continue
    // An agent whose entries name their event has all of them in one list.
    for (const handler of childrenOf(hooks, "array")) {
      const within = { handlers: hooks, group: handler, groups: hooks, hooks, hooksProperty }
      found.push({
        ...within,
        under: String(fieldOf(handler, "trigger")),
        handler,
        eventProperty: hooksProperty
      })
    }
    for (const eventProperty of childrenOf(hooks, "object")) {
      const groups = Doc.valueOf(eventProperty)
      const under = String(eventProperty.children?.[0]?.value)
      for (const group of childrenOf(groups, "array")) {
        const nested = Doc.valueOf(Doc.propertyOf(group, "hooks"))
        // An agent without groups has its entries where others have these.
        const [handlers, entries] =
          nested === undefined ? [groups, [group]] : [nested, childrenOf(nested, "array")]
        for (const handler of entries) {
          if (groups === undefined || handlers === undefined) continue
          found.push({ under, handler, handlers, group, groups, eventProperty, hooks, hooksProperty })
        }
      }
    }
  }
  return found
}

/** The text without one entry of somebody else's, and without the group and the event that held nothing else. */
export const withoutEntry = (text: string, one: Entry): string => {
  const levels = [
    { child: one.handler, container: one.handlers },
    { child: one.group, container: one.groups },
    ...(isListed(one) ? [] : [{ child: one.eventProperty, container: one.hooks }])
  ].slice(one.handler === one.group ? 1 : 0)
  const last = levels.at(-1)
  const level = levels.find(({ child, container }) => !Doc.holdsOnly(text, container, child)) ?? last
  return level === undefined ? text : Doc.removeChild(text, level.container, level.child)
}
