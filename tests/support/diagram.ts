/** Draws a machine as mermaid text from what it does. The pages under docs/ hold nothing drawn by hand. */
import type { Edge } from "./explore.ts"

const label = ({ fact, command }: Edge): string => (command === "" ? fact : `${fact} / ${command}`)

/** A state diagram; edges between the same two states share one arrow. */
export const mermaid = (initial: string, finals: readonly string[], edges: readonly Edge[]): string => {
  const arrows = new Map<string, string[]>()
  for (const edge of edges) {
    const arrow = `${edge.from} --> ${edge.to}`
    arrows.set(arrow, [...(arrows.get(arrow) ?? []), label(edge)])
  }
  return [
    "```mermaid",
    "stateDiagram-v2",
    `  [*] --> ${initial}`,
    ...[...arrows].map(([arrow, labels]) => `  ${arrow}: ${labels.join("<br>")}`),
    ...finals.map((state) => `  ${state} --> [*]`),
    "```"
  ].join("\n")
}

/** The same as a table: what a page can be searched for. */
export const table = (edges: readonly Edge[]): string =>
  [
    "| state | fact | next state | command |",
    "| --- | --- | --- | --- |",
    ...edges.map(({ from, fact, to, command }) => `| ${from} | ${fact} | ${to} | ${command} |`)
  ].join("\n")

/** Puts a fresh block between `<!-- generated: name -->` and `<!-- end: name -->`. */
export const regenerated = (page: string, blocks: Readonly<Record<string, string>>): string => {
  let text = page
  for (const [name, block] of Object.entries(blocks)) {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`]
    const [from, to] = [text.indexOf(begin), text.indexOf(end)]
    if (from < 0 || to < from) throw new Error(`the page has no place for ${name}`)
    text = `${text.slice(0, from + begin.length)}\n\n${block}\n\n${text.slice(to)}`
  }
  return text
}
