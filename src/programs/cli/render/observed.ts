/** One thing that a transcript tells, for people. */
import type { ObservedFact } from "../../../../events/observedFacts.ts"
import type { Recorded } from "../../../../events/Recorded.ts"
import { observedLine } from "../../../features/timeline/observedLine.ts"
import { clock, day } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import { pad, type Style } from "./style.ts"

const maxLines = 40

const block = (name: string, value: unknown, style: Style): readonly string[] => {
  const json = JSON.stringify(value, null, 2) ?? ""
  // Texts of several lines are read as such.
  const text = typeof value === "string" ? value : json.replace(/\\n/g, "\n    ").replace(/\\t/g, "  ")
  const lines = text.split("\n").map(printable)
  const more = lines.length - maxLines
  return [
    "",
    style.strong(name),
    ...lines.slice(0, maxLines).map((line) => `  ${line}`),
    ...(more > 0 ? [style.faint(`  … ${more} lines more: --json has all`)] : [])
  ]
}

const rowsOf = ({ agent, at, data, project, session }: Recorded): readonly (readonly [string, string])[] => {
  const fact = data as ObservedFact
  const { cwd, subagent, turn } = fact
  return [
    ["when", `${day(at)} ${clock(at)}`],
    ["agent", `${agent ?? "?"}${fact.agentVersion === undefined ? "" : ` ${fact.agentVersion}`}`],
    ["session", session ?? "?"],
    ...(turn === undefined ? [] : [["turn", turn] as const]),
    ...(subagent === undefined ? [] : [["subagent", subagent] as const]),
    ["project", project ?? "?"],
    ...(cwd === undefined ? [] : [["directory", cwd] as const]),
    ...("call" in fact && fact.call !== undefined ? [["call", fact.call] as const] : [])
  ]
}

export const drawObserved = (recorded: Recorded, { style }: { readonly style: Style }): string => {
  const fact = recorded.data as ObservedFact
  const call = fact.type === "TOOL_CALL_OBSERVED" ? fact : undefined
  return `${[
    `${style.strong(recorded.type)}  ${observedLine(fact).text}`,
    style.faint("From the agent's transcript: no hook of hooktape was asked about it."),
    ...rowsOf(recorded).map(([name, value]) => `  ${style.faint(pad(name, 10))} ${printable(value)}`),
    ...(call === undefined ? [] : block("input", call.input, style)),
    ...(call?.response === undefined ? [] : block("response", call.response, style)),
    ...("text" in fact ? block("text", fact.text, style) : [])
  ].join("\n")}\n`
}
