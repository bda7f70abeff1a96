/** Who imports whom among the folders of the floor plan, read from the sources. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"

const project = fileURLToPath(new URL("../..", import.meta.url))

/** By folder, the folders it imports from. */
export type ImportTable = ReadonlyMap<string, ReadonlySet<string>>

/** `src/log/sqlite/x.ts` lies in `log`, `events/facts.ts` in `events`; the public surface lies in none. */
const folderOf = (path: string): string | undefined => {
  const [first = "", second = "", third] = relative(project, path).split(sep)
  if (first !== "src") return first
  return third === undefined ? undefined : second
}

const importsOf = (path: string): readonly string[] =>
  [...readFileSync(path, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map(([, target = ""]) =>
    join(dirname(path), target)
  )

export const readImports = (): ImportTable => {
  const table = new Map<string, Set<string>>()
  for (const part of ["events", "machines", "src"])
    for (const entry of readdirSync(join(project, part), { recursive: true, encoding: "utf8" })) {
      const path = join(project, part, entry)
      const from = /\.tsx?$/.test(entry) ? folderOf(path) : undefined
      if (from === undefined) continue
      const known = table.get(from) ?? new Set()
      table.set(from, known)
      for (const target of importsOf(path)) {
        const to = folderOf(target)
        if (to !== undefined && to !== from) known.add(to)
      }
    }
  return table
}

const reaches = (table: ImportTable, from: string, to: string): boolean =>
  [...(table.get(from) ?? [])].some((next) => next === to || reaches(table, next, to))

/** Without the arrows that follow from others. Never ends where the folders import in a circle. */
const reduced = (table: ImportTable): readonly (readonly [string, string])[] =>
  [...table].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(table, other, to)))
      .map((to) => [from, to] as const)
  )

/** A picture of the arrows, those above first. */
export const drawImports = (table: ImportTable, order: readonly string[]): string => {
  const at = (name: string): number => order.indexOf(name)
  const arrows = reduced(table).toSorted(([a, b], [c, d]) => at(a) - at(c) || at(b) - at(d))
  const lines = arrows.map(([from, to]) => `  ${from} --> ${to}`)
  return ["```mermaid", "flowchart BT", ...lines, "```"].join("\n")
}
