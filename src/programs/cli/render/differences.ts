/** What a replay found, for people. */
import type { Fact } from "../../../../events/facts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { count, inline, shortId } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Difference } from "../../../tools/replay/Replayed.ts"
import { cut, pad, type Style } from "./style.ts"
import { hanging, pieces } from "./wrap.ts"

export interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

/** What an invocation was about, where its facts tell. */
export interface Subject {
  readonly agent: string | null
  readonly agentEvent: string | null
  readonly tool: string | null
}

export const subjectOf = (facts: readonly Recorded[]): Subject => {
  const last = facts.at(-1)
  const buffered = facts.find(({ known, type }) => known && type === "PAYLOAD_BUFFERED")
  const { tool } = (buffered?.data ?? {}) as Partial<Extract<Fact, { type: "PAYLOAD_BUFFERED" }>>
  return {
    agent: last?.agent ?? null,
    agentEvent: last?.agentEvent ?? null,
    tool: tool ? `${tool.kind} ${tool.command ?? tool.path ?? tool.name}` : null
  }
}

const places: Readonly<Record<string, string>> = {
  stdout: "the reply on standard output",
  stderr: "the reply on standard error",
  exitCode: "the exit code",
  "": "the reply"
}

/** A reply is named by what the agent gets of it, everything else by its fact and the place in it. */
const whatOf = ({ at, check, position, type }: Difference): string => {
  const named = check === "reply" ? (places[at] ?? `the reply's ${at}`) : `${check} ${at}`.trimEnd()
  return `${named} (#${position} ${type})`
}

const value = (name: string, one: unknown, show: (text: string) => string, { style, width }: Drawing) => {
  const lines = pieces(printable(inline(one)), width === undefined ? undefined : width - 14)
  return lines.map((line, at) => `    ${style.faint(pad(at === 0 ? name : "", 9))} ${show(line)}`)
}

const byInvocation = (differences: readonly Difference[]): ReadonlyMap<string, readonly Difference[]> => {
  const groups = new Map<string, Difference[]>()
  for (const difference of differences) {
    const group = groups.get(difference.invocation)
    if (group) group.push(difference)
    else groups.set(difference.invocation, [difference])
  }
  return groups
}

/** The first difference of each invocation is the one to look at; what follows often follows from it. */
export const drawDifferences = (
  differences: readonly Difference[],
  subjects: ReadonlyMap<string, Subject>,
  drawing: Drawing
): string => {
  const { style, width } = drawing
  const blocks = [...byInvocation(differences)].map(([invocation, found]) => {
    const { agent, agentEvent, tool } = subjects.get(invocation) ?? {}
    const about = [agent, agentEvent, tool].filter((word) => word != null).join(" ")
    const head = `${style.bad("✖")} ${style.accent(shortId(invocation))} `
    return [
      head + (width === undefined ? printable(about) : cut(printable(about), width - 11)),
      ...found.flatMap((one) => [
        hanging("  ", whatOf(one), 4, width),
        ...value("recorded", one.recorded, style.bad, drawing),
        ...value("now", one.now, style.good, drawing),
        ...(one.why === undefined ? [] : value("why", one.why, style.bad, drawing))
      ])
    ]
      .map((line) => `${line}\n`)
      .join("")
  })
  return blocks.join("\n")
}

export const drawVerdict = (
  {
    compared,
    lost,
    unshipped
  }: { readonly compared: number; readonly lost: number; readonly unshipped: number },
  differences: readonly Difference[],
  style: Style
): string => {
  const broken = lost === 0 ? "" : `, ${lost} of them lost and compared as far as they went`
  const left = unshipped === 0 ? "" : `, ${unshipped} left out: payload not shipped`
  const what = `${count(compared, "invocation")} compared${broken}${left}`
  const differing = new Set(differences.map(({ invocation }) => invocation)).size
  if (compared === 0 && differing === 0) return `${style.warn("!")} nothing was compared${left}\n`
  return differing === 0
    ? `${style.good("✔ same")}: ${what}\n`
    : `${differences.length === 0 ? "" : "\n"}${style.bad("✖ not the same")}: ${what}, ${differing} differ\n`
}
