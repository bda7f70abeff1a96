/** Turns what clients counted into facts of the breaker: each call once, and the end of a count after them. */
import { createHash } from "node:crypto"
import { lstatSync, readdirSync } from "node:fs"
import { join } from "node:path"
import type { BreakerFact } from "../../../events/facts.ts"
import { type FactId, timeOf, uuidv7 } from "../../../events/ids.ts"
import { makeDraft } from "../../../events/makeDraft.ts"
import { type RedactedDraft, redactDraft } from "../../redact/redact.ts"
import { spoolDirectory } from "./spoolWriter.ts"
import { currentUnreachable, readUnreachable, type Unreachable } from "./unreachable.ts"

export const breakerStream = "breaker/hooks"

const ended = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\.unreachable$/

const reasons: Readonly<Record<string, string>> = {
  "no-host": "no host answered, and the entrypoint is switched off",
  "no-entrypoint": "no host answered, and the entrypoint could not be started",
  "lost-entrypoint": "no host answered, and the entrypoint was lost before any hook had a say",
  "no-runtime": "Node or the loader is gone",
  "no-record": "the call could not be recorded"
}

export const reasonFor = (why: string): string => reasons[why] ?? why

/** A UUIDv7 begins with its time; a launcher, which has none, writes seconds and its process. */
const beganAt = (who: string): number => {
  const seconds = /^(\d{9,11})\.\d+$/.exec(who)?.[1]
  return seconds === undefined ? timeOf(who) : Number(seconds) * 1000
}

/** The id comes from what it stands for: taken in twice, it is the same fact. */
const draft = (at: number, sign: string, data: BreakerFact): RedactedDraft =>
  redactDraft(
    makeDraft(data, {
      id: uuidv7(at, createHash("sha256").update(sign).digest().subarray(0, 10)) as FactId,
      stream: breakerStream,
      at
    })
  )

const missed = ({ who, threshold, why, line }: Unreachable): RedactedDraft =>
  draft(beganAt(who), line, { type: "HOST_UNREACHABLE", threshold, detail: reasonFor(why) })

/** The files of counts that have ended, in order. */
export const endedCounts = (state: string): readonly string[] => {
  try {
    const directory = spoolDirectory(state)
    if (!lstatSync(directory).isDirectory()) return []
    return readdirSync(directory)
      .filter((name) => ended.test(name))
      .sort()
      .map((name) => join(directory, name))
      .filter((file) => lstatSync(file).isFile())
  } catch {
    return []
  }
}

/** All that was counted, as facts in the order in which it happened. */
export const breakerDrafts = (state: string, files: readonly string[]): readonly RedactedDraft[] => [
  ...files.flatMap((file) => {
    const who = (file.split(/[\\/]/).at(-1) ?? "").replace(/\.unreachable$/, "")
    return [
      ...readUnreachable(file).map(missed),
      draft(beganAt(who), `reached ${who}`, { type: "HOST_REACHED" })
    ]
  }),
  ...currentUnreachable(state).map(missed)
]
