/** Whether the log is as it was recorded, as far as that was not found before: `log verify` looks at all of it. */
import { statSync } from "node:fs"
import { join } from "node:path"
import { count } from "../../../features/timeline/words.ts"
import { describeFinding, isSound } from "../../../log/verdict.ts"
import { setVerified, verifiedUpTo } from "../../../log/verified.ts"
import { verifyLog } from "../../../log/verify.ts"
import { printable } from "../../../state/terminalText.ts"
import { type Check, fail, ok, warn } from "./Check.ts"

/** All of a larger file takes longer to look through than somebody waits for `doctor`. */
const maxBytes = 32_000_000

/** Nothing to say where there is no log. */
export const checkSeals = (state: string): readonly Check[] => {
  const file = join(state, "log.sqlite")
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined) return []
  const isSmall = size <= maxBytes
  const from = isSmall ? 0 : verifiedUpTo(file)
  const verdict = verifyLog(file, { from, wholeFile: isSmall })
  const { findings, last, sealed, unsealed } = verdict
  const [first] = findings
  if (first?.kind === "newer")
    return [fail("seals", printable(describeFinding(first)), "Nothing was looked at, and nothing changed.")]
  if (first?.kind === "denied")
    return [fail("seals", printable(describeFinding(first)), "That says nothing about what is in it.")]
  if (first?.kind === "held")
    return [warn("seals", describeFinding(first), "Run it again when no other program has the log open.")]
  if (!isSound(verdict)) {
    const worst = findings.find(({ kind }) => kind !== "restart") ?? first
    const more = findings.length > 1 ? `, and ${findings.length - 1} more` : ""
    return [
      fail(
        "seals",
        `the log is damaged: ${worst === undefined ? "" : printable(describeFinding(worst))}${more}`,
        'Look: hooktape log verify. Then "hooktape log repair" keeps what can be kept.'
      )
    ]
  }
  setVerified(file, last)
  if (first !== undefined) return [warn("seals", describeFinding(first), "Look: hooktape log verify")]
  const before = from === 0 ? "" : `, up to position ${from} it was looked at before`
  const old = unsealed === 0 ? "" : `, ${unsealed} unsealed`
  return [ok("seals", `${count(sealed, "fact")} as recorded${old}${before}`)]
}
