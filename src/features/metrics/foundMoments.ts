/** Moments as findings of a payload: the same for figures, without paths, lines and command lines. Pure. */
import type { FoundMoment } from "../../../events/findings.ts"
import { isAgentsTool } from "../../agents/namedTools.ts"
import type { CheckRun, Edited, Moment } from "./Moment.ts"

/** Turns a text into one that tells nobody anything, the same each time. */
export type Hide = (text: string) => string

/** Parts of a path by themselves, so that what lies below a folder still does. */
const hiddenPath = (path: string, hide: Hide): string =>
  path
    .split("/")
    .map((part) => (/^\.{0,3}$/.test(part) ? part : hide(part)))
    .join("/")

const foundCheck = ({ folder, program, purpose, targets }: CheckRun, hide: Hide) => ({
  purpose,
  folder: hiddenPath(folder, hide),
  program: hide(program),
  targets: targets.map((target) => hiddenPath(target, hide))
})

const foundEdit = ({ added, path, removed }: Edited, hide: Hide) => ({
  file: hide(path),
  added: added.length,
  removed: removed.length
})

/** Servers of a person's own, and the tools on them, have names that are nobody else's. */
const hiddenName = (name: string, hide: Hide): string => (isAgentsTool(name) ? name : hide(name))

/** What does not come from a payload has none. */
export const foundMoment = (moment: Moment, hide: Hide): FoundMoment | undefined => {
  switch (moment.kind) {
    case "prompt": {
      const { turn, ...rest } = moment
      return turn === null ? rest : { ...rest, turn }
    }
    case "call-started":
      return { ...moment, name: hiddenName(moment.name, hide) }
    case "call-ended": {
      const { checks, commits, edits, name, ...rest } = moment
      return {
        ...rest,
        name: hiddenName(name, hide),
        ...(checks === undefined ? {} : { checks: checks.map((one) => foundCheck(one, hide)) }),
        ...(edits === undefined ? {} : { edits: edits.map((one) => foundEdit(one, hide)) }),
        ...(commits === undefined ? {} : { commits })
      }
    }
    case "usage":
    case "call-settled":
      return undefined
    default:
      return moment
  }
}

/** One of these words, or none. By hand: whoever records figures in a call starts without schemas. */
const among = <const T extends string>(words: readonly T[], value: string | undefined): T | undefined =>
  words.find((word) => word === value)

const tools = ["shell", "read", "edit", "search", "web", "mcp", "task", "other"] as const
const endings = ["ok", "failed", "denied", "rejected", "stopped", "untold"] as const
const verdicts = ["pass", "fail", "unknown"] as const
const errors = ["misuse", "environment", "check", "denied", "other"] as const
const purposes = ["tests", "build", "types", "lint"] as const
const plain = ["stop", "interrupt", "compact", "start", "end", "seen"] as const

const checkFound = (found: NonNullable<FoundMoment["checks"]>[number]): readonly CheckRun[] => {
  const { folder, program, targets = [] } = found
  const purpose = among(purposes, found.purpose)
  return purpose === undefined || folder === undefined || program === undefined
    ? []
    : [{ purpose, folder, program, targets }]
}

const editFound = (found: NonNullable<FoundMoment["edits"]>[number]): readonly Edited[] => {
  const { added = 0, file, removed = 0 } = found
  return file === undefined ? [] : [{ path: file, added: [], removed: [], counted: { added, removed } }]
}

const callFound = (found: FoundMoment): Moment | undefined => {
  const { checks, commits, edits, isBatch, isUnnamed, kind, looks, name, use } = found
  const tool = among(tools, found.tool)
  if (use === undefined || name === undefined || tool === undefined) return undefined
  const unnamed = isUnnamed === true ? { isUnnamed: true as const } : {}
  if (kind === "call-started") return { kind, use, name, tool, ...unnamed }
  const told = among(endings, found.told)
  const verdict = among(verdicts, found.verdict)
  const error = among(errors, found.error)
  if (told === undefined || verdict === undefined) return undefined
  return {
    kind: "call-ended",
    ...{ use, name, tool, told, verdict, ...unnamed },
    ...(isBatch === true ? { isBatch: true as const } : {}),
    ...(error === undefined ? {} : { error }),
    ...(checks === undefined ? {} : { checks: checks.flatMap(checkFound) }),
    ...(edits === undefined ? {} : { edits: edits.flatMap(editFound) }),
    ...(looks === true ? { looks: true as const } : {}),
    ...(commits === undefined ? {} : { commits })
  }
}

const known = (found: FoundMoment): Moment | undefined => {
  const { isHuman, kind, turn = null, use } = found
  switch (kind) {
    case "prompt":
      return isHuman === undefined ? undefined : { kind, turn, isHuman }
    case "permission":
      return use === undefined ? undefined : { kind, use }
    case "call-started":
    case "call-ended":
      return callFound(found)
    default: {
      const one = among(plain, kind)
      return one === undefined ? undefined : { kind: one }
    }
  }
}

/** `seen` where a field of it was not shipped: something happened. */
export const momentFound = (found: FoundMoment): Moment => known(found) ?? { kind: "seen" }
