/** Scripts in files of JSON: `deno.json`, `composer.json`. */
import { shellWords } from "../../../state/shellWord.ts"
import { isObject, jsonMember, type Members } from "./jsonMember.ts"
import { Lines, maxRecipes, type RecipeReader, type RecipeText } from "./Recipe.ts"

const memberOf = (text: string, name: string): Members => jsonMember(text, name) ?? {}

const own = (texts: Members, name: string): unknown => (Object.hasOwn(texts, name) ? texts[name] : undefined)

const joined = (lines: readonly string[]): RecipeText | undefined => {
  const all = new Lines()
  for (const line of lines) all.add(line)
  return all.read
}

export const readDeno: RecipeReader = (text, { names }, args) => {
  const tasks = memberOf(text, "tasks")
  return joined(
    names.flatMap((name) => {
      const task = own(tasks, name)
      const command = isObject(task) ? task["command"] : task
      return typeof command === "string" ? [`${command} ${shellWords(args)}`] : []
    })
  )
}

/** `@other` is another script of the same file, `@php` a program. */
export const readComposer: RecipeReader = (text, { names }) => {
  const scripts = memberOf(text, "scripts")
  const lines: string[] = []
  const seen = new Set<string>()
  const add = (name: string): void => {
    if (seen.size >= maxRecipes || seen.has(name)) return
    seen.add(name)
    for (const one of [own(scripts, name)].flat()) {
      if (typeof one !== "string") continue
      const other = /^@([\w:-]+)$/.exec(one)?.[1]
      if (other === undefined) lines.push(one.replace(/^@(?:composer|php|putenv)\b ?/, ""))
      else add(other)
    }
  }
  for (const name of names) add(name)
  return joined(lines)
}
