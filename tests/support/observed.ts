/** Transcripts for tests: rows written to a file of their own, and what came of them on a log in memory. */
import { appendFileSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { ObservedFact } from "../../events/observedFacts.ts"
import type { Recorded } from "../../events/Recorded.ts"
import { transcriptsAt } from "../../src/features/transcripts/findFiles.ts"
import { type Imported, importFile } from "../../src/features/transcripts/importFile.ts"
import { EventLog } from "../../src/log/EventLog.ts"
import { layerMemory } from "../../src/log/MemoryLog.ts"

export type Rows = readonly (object | string)[]

const text = (rows: Rows): string =>
  rows.map((row) => `${typeof row === "string" ? row : JSON.stringify(row)}\n`).join("")

export const transcriptFolder = (): string => mkdtempSync(join(homedir(), "transcripts-"))

/** Written so long ago that nobody writes to it any more, unless it is said to be young. */
export const writeTranscript = (file: string, rows: Rows, isYoung = false): string => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text(rows))
  if (!isYoung) utimesSync(file, 1_000_000, 1_000_000)
  return file
}

export const growTranscript = (file: string, rows: Rows): void => appendFileSync(file, text(rows))

export interface Read {
  readonly facts: readonly Recorded<ObservedFact>[]
  readonly imported: readonly Imported[]
}

/** One import after the other onto one log; between two of them a file may have grown. */
export const importing = (
  ...rounds: readonly { readonly paths: readonly string[]; readonly before?: () => void }[]
): Promise<Read> =>
  Effect.gen(function* () {
    const log = yield* EventLog
    const imported: Imported[] = []
    for (const { before, paths } of rounds) {
      before?.()
      for (const path of paths)
        for (const file of transcriptsAt([path], undefined).files)
          imported.push(yield* importFile(file, { now: Date.now() }))
    }
    const facts = yield* Stream.runCollect(log.read())
    return { facts: [...facts] as readonly Recorded<ObservedFact>[], imported }
  }).pipe(Effect.provide(layerMemory()), Effect.runPromise)

export const observedOf = async (rows: Rows, name = "s.jsonl"): Promise<readonly ObservedFact[]> => {
  const file = writeTranscript(join(transcriptFolder(), name), rows)
  return (await importing({ paths: [file] })).facts.map(({ data }) => data)
}

export const ofType = <T extends ObservedFact["type"]>(
  facts: readonly ObservedFact[],
  type: T
): readonly Extract<ObservedFact, { readonly type: T }>[] =>
  facts.filter((fact): fact is Extract<ObservedFact, { readonly type: T }> => fact.type === type)
