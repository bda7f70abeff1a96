/** The patterns that a workspace names its packages by, as far as somebody writes them by hand. */
import { join } from "node:path"
import { globMatches } from "../../../hooks/glob.ts"
import { fileText } from "../fileText.ts"
import { isObject } from "./jsonMember.ts"
import type { Looked } from "./Looked.ts"
import { looseJson } from "./looseJson.ts"
import { maxManifest, packageIn } from "./packageIn.ts"
import {
  below,
  inBrackets,
  itemsOf,
  keyOf,
  unquoted,
  valueOf,
  type YamlLines,
  yamlLines
} from "./yamlLines.ts"

const longestPattern = 500
const maxParts = 20
const maxChoices = 20
const maxPatterns = 1000
/** Each of these is tried on each package. */
const maxLeft = 50

/** Whether it is soon told what fits it. */
export const isBounded = (pattern: string): boolean =>
  pattern.length <= longestPattern &&
  pattern.split("/").length <= maxParts &&
  pattern.split(/[{(]/).length <= maxChoices

const texts = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []

const uncommented = (text: string): string => text.replace(/(^|\s)#.*$/, "$1")

/** In brackets, perhaps over several lines, or as a list. */
const yamlTexts = (lines: YamlLines, key: string): readonly string[] => {
  const line = lines.find((one) => keyOf(one) === key)
  if (line === undefined) return []
  const under = below(lines, key).map(uncommented)
  const whole = [uncommented(valueOf(uncommented(line))), ...under]
    .map((one) => one.trim())
    .join(" ")
    .trim()
  return whole.startsWith("[") ? inBrackets(whole) : itemsOf(under).map(unquoted)
}

/** Undefined where this folder is no workspace's root. */
export const patternsIn = (folder: string, looked: Looked): Promise<readonly string[] | undefined> =>
  looked.once("patterns", folder, async () => {
    const { manifest: { workspaces } = {} } = (await packageIn(folder, looked)) ?? {}
    const pnpm = await fileText(join(folder, "pnpm-workspace.yaml"), maxManifest)
    const lerna = await fileText(join(folder, "lerna.json"), maxManifest)
    const ofLerna = lerna === undefined ? undefined : looseJson(lerna.text)
    const told = [
      ...texts(isObject(workspaces) ? workspaces["packages"] : workspaces),
      ...(pnpm === undefined ? [] : yamlTexts(yamlLines(pnpm.text), "packages")),
      ...texts(isObject(ofLerna) ? ofLerna["packages"] : undefined)
    ]
    return told.length === 0 ? undefined : told
  })

export interface Patterns {
  /** Each in its parts. */
  readonly wanted: readonly (readonly string[])[]
  /** Whether a path from the root is taken out again. */
  readonly isLeft: (path: string) => boolean
  /** No pattern was left out. */
  readonly isWhole: boolean
}

/** A choice that spans folders is tried on all of them. */
const partsOf = (pattern: string): readonly string[] =>
  /[{(][^})]*\//.test(pattern)
    ? ["**"]
    : pattern
        .split("/")
        .filter((part) => part !== "" && part !== ".")
        .filter((part, at, all) => part !== "**" || all[at - 1] !== "**")

export const bounded = (given: readonly string[]): Patterns => {
  const told = [...new Set(given)]
  const read = told.filter(isBounded).slice(0, maxPatterns)
  const left = read.filter((one) => one.startsWith("!")).map((one) => one.slice(1).replace(/^\.?\/|\/$/g, ""))
  const globs = left.filter((one) => /[*?[{\\]/.test(one))
  const names = new Set(left)
  const tried = globs.slice(0, maxLeft)
  return {
    wanted: read.filter((one) => !one.startsWith("!")).map(partsOf),
    isLeft: (path) => names.has(path) || tried.some((one) => globMatches(one, path)),
    isWhole: read.length === told.length && tried.length === globs.length
  }
}
