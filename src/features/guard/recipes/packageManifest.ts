/** The manifest of a package, in each form that a package manager reads. */
import { isObject, type Members } from "./jsonMember.ts"
import { looseJson } from "./looseJson.ts"
import { itemsOf, membersOf, valueOf, type YamlLines, yamlLines } from "./yamlLines.ts"

/** The first that is there is read. The others than `package.json` are pnpm's. */
export const manifestNames = ["package.json", "package.json5", "package.yaml"] as const

/** Keys below keys, beyond this, say nothing of scripts. */
const deepestKeys = 5

const yamlValue = (head: string, rest: YamlLines, depth: number): unknown => {
  const value = valueOf(head)
  if (/^[|>][+-]?\d?$/.test(value)) return rest.map((line) => line.trim()).join("\n")
  if (value.startsWith("{") || value.startsWith("[")) return looseJson([value, ...rest].join("\n"))
  if (value !== "" || rest.length === 0) return value
  return rest[0]?.trimStart().startsWith("- ") ? itemsOf(rest) : yamlMembers(rest, depth + 1)
}

const yamlMembers = (lines: YamlLines, depth = 0): Members =>
  depth > deepestKeys
    ? {}
    : Object.fromEntries(
        [...membersOf(lines)].map(([name, [head = "", ...rest]]) => [name, yamlValue(head, rest, depth)])
      )

/** Undefined where it is none. */
export const readManifest = (file: string, text: string): Members | undefined => {
  const isYaml = file.endsWith(".yaml") && !text.trimStart().startsWith("{")
  const found = isYaml ? yamlMembers(yamlLines(text)) : looseJson(text)
  return isObject(found) ? found : undefined
}

export const memberOf = (manifest: Members, name: string): Members => {
  const found = Object.hasOwn(manifest, name) ? manifest[name] : undefined
  return isObject(found) ? found : {}
}
