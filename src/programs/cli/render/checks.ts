/** What `doctor` found, one line each, and what to do below it. */

import { count } from "../../../features/timeline/words.ts"
import { printable } from "../../../state/terminalText.ts"
import type { Check } from "../doctor/Check.ts"
import { asCalled } from "./asCalled.ts"
import { pad, type Style } from "./style.ts"
import { hanging } from "./wrap.ts"

export interface Drawing {
  readonly style: Style
  readonly width: number | undefined
}

const signs = { ok: ["✔", "good"], warn: ["!", "warn"], fail: ["✖", "bad"] } as const

/** `--json` keeps the short names. */
const labels: Readonly<Record<string, string>> = { build: "your hooks", project: "project's hooks" }

const labelOf = ({ name }: Check): string => labels[name] ?? name

export const drawChecks = (checks: readonly Check[], { style, width }: Drawing): string => {
  const widest = Math.max(...checks.map((check) => labelOf(check).length))
  const indent = widest + 4
  const lines = checks.flatMap((check) => {
    const { fix, message, status } = check
    const [sign, paint] = signs[status]
    const line = hanging(
      `${style[paint](sign)} ${pad(labelOf(check), widest)}  `,
      printable(message),
      indent,
      width
    )
    return fix === undefined || status === "ok"
      ? [line]
      : [line, hanging(`${" ".repeat(indent)}${style.accent("→")} `, asCalled(fix), indent + 2, width)]
  })
  const failed = checks.filter(({ status }) => status === "fail").length
  const warned = checks.filter(({ status }) => status === "warn").length
  const verdict =
    failed > 0
      ? style.bad(count(failed, "problem"))
      : warned > 0
        ? style.warn(`works, with ${count(warned, "remark")}`)
        : style.good("all is well")
  return `${lines.join("\n")}\n\n${verdict}\n`
}
