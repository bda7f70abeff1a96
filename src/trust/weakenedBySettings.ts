/** Variables that can weaken guards, set by files that a repository carries and an agent takes its environment from. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { weakening, weakens } from "./weakening.ts"

export interface WeakenedBy {
  readonly file: string
  readonly variable: string
  readonly how: string
}

const textAt = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8").slice(0, 1_000_000)
  } catch {
    return undefined
  }
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** `"env": { "NAME": "value" }`, wherever it stands. A file with comments, or one that is broken, is searched as a text. */
const inJson = (text: string): Pairs =>
  [...text.matchAll(/"([A-Z_][A-Z0-9_]{1,60})"\s{0,9}:\s{0,9}"?([^",}\n]{0,200})/g)].map(
    ([, name = "", value = ""]) => [name, value.trim()] as const
  )

/** `NAME = "value"` of a table, an inline table or an env file. */
const inLines = (text: string): Pairs =>
  [
    ...text
      .replace(/^\s*#.*$/gm, "")
      .matchAll(/(?<![\w.#-])"?([A-Z_][A-Z0-9_]{1,60})"?[ \t]{0,9}=[ \t]{0,9}["']?([^"'\s,}]{0,200})/g)
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

export const weakenedBySettings = (project: string): readonly WeakenedBy[] =>
  files.flatMap(([path, read]) => {
    const file = join(project, ...path)
    const found = new Map(read(textAt(file) ?? "").filter(([name, value]) => weakens(name, value)))
    return [...found.keys()].map((variable) => ({ file, variable, how: weakening[variable]?.how ?? "" }))
  })

export const weakenedText = ({ file, how, variable }: WeakenedBy): string =>
  `${file} sets ${variable}, which ${how}`
