/** What `hooktape check` found, for people. */

import { count } from "../../../features/timeline/words.ts"
import { placeOf } from "../../../hooks/Problem.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Checked, type CheckName, type Finding, isError } from "../../../tools/check/Finding.ts"
import { asCalled } from "./asCalled.ts"
import type { Style } from "./style.ts"

const things: Readonly<Record<CheckName, readonly [string, string?]>> = {
  build: ["hook file"],
  types: ["hook file"],
  fixtures: ["fixture"],
  everyday: ["call"],
  registration: ["shared file"]
}

/** On one line: one of its own could be a command to whoever runs the check. */
const line = (finding: Finding, style: Style): string => {
  const sign = isError(finding) ? style.bad("✖") : style.warn("!")
  const remedy =
    finding.remedy === undefined ? "" : `\n      ${style.faint(asCalled(printable(finding.remedy)))}`
  return `    ${sign} ${printable(placeOf(finding))}: ${printable(finding.message)}${remedy}\n`
}

const block = ({ check, findings, looked, skipped }: Checked, style: Style): string => {
  if (skipped !== undefined) return `${style.faint(`- ${check}: ${asCalled(printable(skipped))}`)}\n`
  const sign = findings.some(isError)
    ? style.bad("✖")
    : findings.length > 0
      ? style.warn("!")
      : style.good("✔")
  const [one, many] = things[check]
  const told = findings.map((finding) => line(finding, style)).join("")
  return `${sign} ${check} ${style.faint(count(looked.length, one, many))}\n${told}`
}

export const drawCheck = (all: readonly Checked[], style: Style): string => {
  const findings = all.flatMap((one) => one.findings)
  const errors = findings.filter(isError).length
  const warnings = findings.length - errors
  const also = warnings === 0 ? "" : `, ${count(warnings, "warning")}`
  const verdict =
    errors > 0 ? style.bad(`${count(errors, "error")}${also}`) : style.good(`nothing wrong${also}`)
  return `${all.map((one) => block(one, style)).join("")}\n${verdict}\n`
}
