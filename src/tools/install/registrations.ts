/** Our entries in an agent's settings: where they stand, and cutting one out without a trace. */
import { getNodeValue, type Node } from "jsonc-parser"
import { type OurCommand, parseCommand } from "./command.ts"
import { dialects } from "./dialects.ts"
import * as Doc from "./document.ts"
import { type Entry, entriesOf, fieldOf, isListed } from "./entries.ts"
import { type OurHttpHook, parseHttpHook } from "./httpHook.ts"
import type { InstallRecord } from "./record.ts"
import { readWindows } from "./windows.ts"

/** One entry of ours. */
export interface Registration extends OurCommand, Entry {
  /** The command line, or the address that is called in its place. */
  readonly command: string
  readonly http?: Pick<OurHttpHook, "port" | "token">
}

/** Where an entry says what it starts: in itself, or in a part of its own. */
const startOf = (handler: Node | undefined): Node | undefined =>
  Doc.valueOf(Doc.propertyOf(handler, "action")) ?? handler

const onWindows = (handler: Node | undefined) =>
  readWindows((name) => {
    const value = Doc.valueOf(Doc.propertyOf(handler, name))
    return value && getNodeValue(value)
  })

/** An entry of ours as what it is; undefined for everybody else's. */
export const oursIn = (
  entry: Node | undefined
): (OurCommand & Pick<Registration, "command" | "http">) | undefined => {
  const handler = startOf(entry)
  const command = fieldOf(handler, "command")
  const here = typeof command === "string" ? parseCommand(command) : undefined
  if (typeof command === "string" && here !== undefined) return { ...here, command }
  const there = onWindows(handler)
  if (there !== undefined || typeof command === "string") return there
  const headers = Doc.valueOf(Doc.propertyOf(handler, "headers"))
  const ours = parseHttpHook(fieldOf(handler, "url"), (name) => fieldOf(headers, name))
  if (ours === undefined) return undefined
  const { url, port, token, ...rest } = ours
  return { ...rest, command: url, http: { port, token } }
}

/** In the order of the file. `under` is the key it stands under, whatever its own last word says. */
export const registrationsOf = (root: Node | undefined): readonly Registration[] =>
  entriesOf(root).flatMap((entry) => {
    const ours = oursIn(entry.handler)
    return ours === undefined ? [] : [{ ...ours, ...entry }]
  })

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
    ...(isListed(one)
      ? []
      : [
          {
            child: one.eventProperty,
            container: one.hooks,
            path: `hooks.${one.under}`,
            goes: made("hooks") && Doc.holdsOnly(text, one.hooks, one.eventProperty)
          }
        ]),
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
