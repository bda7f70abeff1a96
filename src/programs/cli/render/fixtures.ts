/** What `hooktape test` found, for people. */

import { count } from "../../../features/timeline/words.ts"
import { printable, printableLines } from "../../../state/terminalText.ts"
import { unifiedDiff } from "../../../tools/install/diff.ts"
import type { Launched } from "../launch.ts"
import { asCalled } from "./asCalled.ts"
import type { Style } from "./style.ts"

export interface Judged {
  readonly fixture: string
  readonly status: "same" | "different" | "missing" | "written"
  readonly reply: Launched
  readonly expected: Launched | undefined
}

/** One that is no hook call: the others are tested all the same. */
export interface Broken {
  readonly fixture: string
  readonly status: "broken"
  readonly reason: string
}

export type Tested = Judged | Broken

const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const asText = ({ exitCode, stdout, stderr }: Launched): string =>
  [
    `exit ${exitCode}`,
    ...(stdout === "" ? ["stdout is empty"] : ["stdout", pretty(stdout)]),
    ...(stderr === "" ? ["stderr is empty"] : ["stderr", stderr.replace(/\n$/, "")])
  ].join("\n")

/** From the kept reply to the one of now, as a unified diff that a terminal can show. */
export const differenceOf = ({ expected, reply }: Pick<Judged, "expected" | "reply">): string => {
  const kept = expected ? asText(expected) : ""
  const diff = unifiedDiff("reply", `${kept}\n`, `${asText(reply)}\n`)
  // Beautified they may look alike; the bytes are what counts.
  return printableLines(
    diff === "" ? unifiedDiff("reply", `${JSON.stringify(expected)}\n`, `${JSON.stringify(reply)}\n`) : diff
  )
}

const coloured = (diff: string, style: Style): string =>
  diff
    .split("\n")
    .filter((line) => !/^(---|\+\+\+|@@)/.test(line))
    .map((line) =>
      line.startsWith("-") ? style.bad(line) : line.startsWith("+") ? style.good(line) : style.faint(line)
    )
    .map((line) => (line === "" ? "" : `    ${line}`))
    .join("\n")

/** One with why it is not as it was kept. */
export const drawTest = (tested: Tested, style: Style): string => {
  if (tested.status === "broken")
    return `${style.bad("✖")} ${tested.fixture} ${style.faint(printable(tested.reason))}\n`
  const { fixture, status, reply, expected } = tested
  switch (status) {
    case "same":
      return `${style.good("✔")} ${fixture}\n`
    case "written":
      return `${style.accent("+")} ${fixture} ${style.faint("reply written")}\n`
    case "missing":
      return `${style.bad("✖")} ${fixture} ${style.faint(asCalled('no reply is kept; "hooktape test --update" writes it'))}\n`
    case "different": {
      const diff = differenceOf({ expected, reply })
      return `${style.bad("✖")} ${fixture} ${style.faint("- kept, + now")}\n${coloured(diff, style)}\n`
    }
  }
}

export const drawTests = (tested: readonly Tested[], style: Style): string => {
  const bad = tested.filter(({ status }) => status !== "same" && status !== "written").length
  const written = tested.filter(({ status }) => status === "written").length
  const many = count(tested.length, "fixture")
  const verdict =
    bad > 0
      ? style.bad(`${bad} of ${many} not as kept`)
      : style.good(
          written > 0 ? `${many}, ${count(written, "reply", "replies")} written` : `${many}, all as kept`
        )
  return `${tested.map((one) => drawTest(one, style)).join("")}${tested.length > 0 ? "\n" : ""}${verdict}\n`
}
