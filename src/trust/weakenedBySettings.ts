/** What files set that a repository carries and an agent takes its settings and its environment from; which of it can weaken guards. */
import { join } from "node:path"
import { readSmall } from "../state/readSmall.ts"
import { hooksOff, unescaped } from "./hooksOff.ts"
import { howItWeakens } from "./weakening.ts"

export interface WeakenedBy {
  readonly file: string
  /** The variable, or the agent's own setting. None where nobody can look at the file. */
  readonly name?: string
  readonly how: string
}

type Pairs = readonly (readonly [name: string, value: string])[]

const inText = (text: string): Pairs =>
  [...unescaped(text).matchAll(/"([A-Z_][\w%<>()]{1,60})"\s{0,9}:\s{0,9}"?([^",}\n]{0,200})/g)].map(
    ([, name = "", value = ""]) => [name, value.trim()] as const
  )

/** Every name with what is no object, however deep. */
const pairsIn = (json: unknown): Pairs => {
  const found: (readonly [string, string])[] = []
  const left: unknown[] = [json]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== "object" || one === null) continue
    for (const [name, value] of Object.entries(one))
      if (typeof value === "object") left.push(value)
      else found.push([name, String(value)])
  }
  return found
}

/** `"env": { "NAME": "value" }`, wherever it stands. A file with comments, or one that is broken, is searched as a text. */
const inJson = (text: string): Pairs => {
  try {
    return pairsIn(JSON.parse(text))
  } catch {
    return inText(text)
  }
}

/** `NAME = "value"` of a table, an inline table or an env file. */
const inLines = (text: string): Pairs =>
  [
    ...text
      .replace(/^[ \t]*#.*$/gm, "")
      .matchAll(/(?<![\w.#-])"?([A-Z_][\w%<>()]{1,60})"?[ \t]{0,9}=[ \t]{0,9}["']?([^"'\s,}]{0,200})/g)
  ].map(([, name = "", value = ""]) => [name, value] as const)

const files: readonly (readonly [path: readonly string[], read: (text: string) => Pairs])[] = [
  [[".claude", "settings.json"], inJson],
  [[".claude", "settings.local.json"], inJson],
  [[".codex", "config.toml"], inLines],
  [[".gemini", "settings.json"], inJson],
  [[".gemini", ".env"], inLines],
  [[".env"], inLines],
  [[".cursor", "environment.json"], inJson]
]

/** Every variable that they may set, with its value as far as it stands there. */
export const setBySettings = (project: string): Pairs =>
  files.flatMap(([path, read]) => {
    const content = readSmall(join(project, ...path))
    return content !== undefined && "text" in content ? read(content.text) : []
  })

const switchedOff = (project: string): readonly WeakenedBy[] =>
  hooksOff.flatMap(({ path, name, isOff }) => {
    const file = join(project, ...path)
    const content = readSmall(file)
    return content !== undefined && "text" in content && isOff(content.text)
      ? [{ file, name, how: "switches every hook of that agent off" }]
      : []
  })

const byVariables = (project: string): readonly WeakenedBy[] =>
  files.flatMap(([path, read]) => {
    const file = join(project, ...path)
    const content = readSmall(file)
    if (content !== undefined && "not" in content) return [{ file, how: content.not }]
    const found = new Map<string, string>()
    for (const [name, value] of read(content?.text ?? "")) {
      const how = howItWeakens(name, value)
      if (how !== undefined) found.set(name, how)
    }
    return [...found].map(([name, how]) => ({ file, name, how }))
  })

export const weakenedBySettings = (project: string): readonly WeakenedBy[] => [
  ...byVariables(project),
  ...switchedOff(project)
]

export const weakenedText = ({ file, how, name }: WeakenedBy): string =>
  name === undefined
    ? `${file} ${how}, and an agent may take variables from it all the same`
    : `${file} sets ${name}, which ${how}`
