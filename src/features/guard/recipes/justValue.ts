/** Expressions of a justfile, in its variables and between `{{` and `}}`, as far as they say what they come to. */
import { unknown } from "../script.ts"
import { deepestValue, longestValue } from "./Recipe.ts"

/** Expressions by the names of variables. */
export type Expressions = ReadonlyMap<string, string>

const term =
  /\s*(?:'''([\s\S]*?)'''|"""([\s\S]*?)"""|'([^']*)'|"((?:\\.|[^"\\])*)"|`([^`]*)`|([A-Za-z_][\w-]*)(?:\(([^()]*)\))?)\s*/y
const joint = /[+/]/

const here = /^(?:justfile_dir(?:ectory)?|invocation_dir(?:ectory)?|source_dir(?:ectory)?)$/
const ofEnvironment = /^env(?:_var(?:_or_default)?)?$/

const ofFunction = (name: string, given: string): string => {
  if (here.test(name)) return "."
  if (/^home_dir(?:ectory)?$/.test(name)) return "$HOME"
  const [, variable] = ofEnvironment.test(name) ? (/^\s*["'](\w+)["']/.exec(given) ?? []) : []
  return variable === undefined ? unknown : `\${${variable}}`
}

/** What only the run tells stands as such in it. */
export const justValue = (expression: string, known: Expressions, depth = 0): string => {
  if (depth > deepestValue || expression.length > longestValue) return unknown
  let made = ""
  for (let at = 0; ; at++) {
    term.lastIndex = at
    const found = term.exec(expression)
    if (found === null) return unknown
    at = term.lastIndex
    made += ofTerm(found, known, depth)
    const sign = expression[at] ?? ""
    if (sign === "" || sign === "#") return made.slice(0, longestValue)
    if (!joint.test(sign)) return unknown
    if (sign === "/") made = `${made.replace(/\/$/, "")}/`
  }
}

const ofTerm = ([, ...found]: readonly (string | undefined)[], known: Expressions, depth: number): string => {
  const [tripleSingle, tripleDouble, single, double, command, name, given] = found
  const text = tripleSingle ?? tripleDouble ?? single ?? double?.replace(/\\(["\\])/g, "$1")
  if (text !== undefined) return text
  if (command !== undefined) return `$(${command})`
  if (given !== undefined) return ofFunction(name ?? "", given)
  const other = known.get(name ?? "")
  return other === undefined ? unknown : justValue(other, known, depth + 1)
}

/** A text as an expression. */
export const justText = (text: string): string =>
  text.includes("'") ? `"${text.replace(/["\\]/g, "\\$&")}"` : `'${text}'`
