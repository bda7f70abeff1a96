/** Whether an agent is about to delete transcripts that nobody has imported, and how much room imported sessions have. */
import { settingsFiles } from "../../../agents/settingsFiles.ts"
import { bytes, count } from "../../../features/timeline/words.ts"
import type { TranscriptFile } from "../../../features/transcripts/findFiles.ts"
import { maxImportedBytes, type Shares } from "../../../log/retainImported.ts"
import { readRegular } from "../../../state/readRegular.ts"
import type { Places } from "../places.ts"
import { type Check, ok, warn } from "./Check.ts"

const dayMs = 86_400_000
/** So long before it happens it is said: a week, and where they are kept for days only, half of that. */
const noticeOf = (days: number): number => Math.min(7, Math.floor(days / 2))
/** As Claude Code has it where nothing is set. */
const usualDays = 30

const daysIn = (file: string): number | undefined => {
  try {
    const settings = JSON.parse(readRegular(file).toString("utf8")) as {
      readonly cleanupPeriodDays?: unknown
    } | null
    const days = settings?.cleanupPeriodDays
    return typeof days === "number" && days >= 0 ? days : undefined
  } catch {
    return undefined
  }
}

/** Settings of the project come before those of the user. */
export const cleanupDays = (places: Pick<Places, "env" | "home" | "project">): number => {
  const { local, project, user } = settingsFiles["claude-code"]
  return (
    [local, project, user].map((at) => daysIn(at(places))).find((days) => days !== undefined) ?? usualDays
  )
}

/** Those that are gone soon. */
export const endangered = (
  files: readonly TranscriptFile[],
  days: number,
  now: number
): readonly TranscriptFile[] => files.filter(({ written }) => now - written > (days - noticeOf(days)) * dayMs)

/** `unread`: endangered ones that are not imported as they are now. */
export const checkTranscripts = (
  unread: readonly TranscriptFile[],
  days: number,
  shares: Shares | undefined
): readonly Check[] => [
  ...(unread.length === 0
    ? []
    : [
        warn(
          "transcripts",
          `Claude Code deletes ${count(unread.length, "transcript")} within ${count(noticeOf(days), "day")} that ${
            unread.length === 1 ? "is" : "are"
          } not imported (cleanupPeriodDays: ${days})`,
          'Run "hooktape import claude-code", or raise cleanupPeriodDays in the settings of Claude Code.'
        )
      ]),
  ...(shares === undefined || shares.sessions === 0
    ? []
    : [
        ok(
          "imports",
          `${count(shares.sessions, "session")} with facts of transcripts, ${bytes(shares.imported)} of at most ${bytes(
            maxImportedBytes
          )}; beyond that the one that ended first goes`
        )
      ])
]
