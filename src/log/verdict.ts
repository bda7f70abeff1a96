/** What looking through the log comes to: what is not as it was recorded, and how many facts are vouched for. */
import { placed } from "./Damage.ts"
import type { Range } from "./lostPositions.ts"

/** In `detail` of what is `altered`: no seal speaks of it, and nobody said why. */
export const addedUnsealed = "added without a seal"

export interface Finding {
  /**
   * `damaged`: a fact is not what was recorded. `missing`: it is not there, and nobody took it away. `altered`: facts are whole,
   * and not those that were sealed, or no seal speaks of them and nobody said why. `cut`: the end of the log is gone. `file`: the file itself is damaged. `restart`: the machine
   * went down with what was written last; no damage. `newer`: it is a later version's, and was not looked at. `held`: another program
   * has it for itself, and nothing could be looked at. `denied`: this user may not open it so that it can be looked at.
   */
  readonly kind: "damaged" | "missing" | "altered" | "cut" | "file" | "restart" | "newer" | "held" | "denied"
  readonly first: number
  readonly last: number
  readonly detail?: string
}

export interface Repair {
  readonly at: number
  /** How many facts could not be kept, or were gone before with an end of the log. */
  readonly lost: number
  /** Where they stood, the first hundred ranges. */
  readonly ranges: readonly Range[]
  /** What no seal spoke of until then, the first hundred ranges: it was kept, and is sealed since. */
  readonly unsealed: readonly Range[]
}

export interface Verdict {
  /** In the order of positions. */
  readonly findings: readonly Finding[]
  /** Facts that a seal vouches for. */
  readonly sealed: number
  /** Recorded before there were seals, or noted by whoever could not read the key. */
  readonly unsealed: number
  /** Under a key that is not there any more: only their sums were looked at. */
  readonly foreign: number
  /** Positions whose facts retention or `forget` took away. */
  readonly taken: number
  readonly repairs: readonly Repair[]
  /** Where it began, and how far the log goes. */
  readonly from: number
  readonly last: number
}

export const describeFinding = (finding: Finding): string => {
  const { detail, kind } = finding
  switch (kind) {
    case "damaged":
      return `${placed(finding)}: not what was recorded`
    case "missing":
      return `${placed(finding)}: missing, and nobody took it away`
    case "altered":
      return detail === addedUnsealed
        ? `${placed(finding)}: added without a seal, or its seal was taken away`
        : `${placed(finding)}: not what was sealed`
    case "cut":
      return `${placed(finding)}: the end of the log is gone`
    case "restart":
      return `${placed(finding)}: went down with the machine; what was written last may be lost with its power`
    case "file":
      return `the file: ${detail ?? "damaged"}`
    case "newer":
      return detail ?? "it is of a newer hooktape"
    case "denied":
      return detail ?? "it cannot be opened by this user"
    case "held":
      return "another program has the log for itself: nothing of it could be looked at"
  }
}

/** Nothing of it was looked at: that says nothing about what is in it. */
export const isUnseen = ({ findings }: Pick<Verdict, "findings">): boolean =>
  findings.some(({ kind }) => kind === "newer" || kind === "held" || kind === "denied")

export const isSound = ({ findings }: Verdict): boolean => findings.every(({ kind }) => kind === "restart")

const maxFindings = 1000

/** What is alike and next to each other is one finding. */
export const foundInOrder = () => {
  const findings: Finding[] = []
  const find = (finding: Finding): void => {
    const before = findings.at(-1)
    // What was sealed together is told together, and by itself.
    const isOfSeal = finding.kind === "altered" && finding.detail === undefined
    const isSame = before?.kind === finding.kind && before.detail === finding.detail
    if (before !== undefined && isSame && !isOfSeal && before.last + 1 === finding.first)
      findings[findings.length - 1] = { ...before, last: finding.last }
    else if (findings.length < maxFindings) findings.push(finding)
  }
  return { find, findings: findings as readonly Finding[] }
}
