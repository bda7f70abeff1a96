/** The services of one run of a handler. Each question goes through `answers`, which records it or answers from the record. */
import { resolve } from "node:path"
import { uuidv7 } from "../../../events/ids.ts"
import type { JsonObject } from "../../../events/intents.ts"
import type { Services } from "../../hooks/Services.ts"
import { openReader, type Reader } from "../../log/reader.ts"
import { kindAt, listAt, readText } from "../../state/readFiles.ts"
import { runCommand } from "../../trust/runCommand.ts"
import { type Answers, ServiceError } from "./answers.ts"
import { noteProblem, shareProblem, wordProblem } from "./Note.ts"
import { settle } from "./place.ts"
import { readLog } from "./readLog.ts"
import { listNotes, searchNotes } from "./readNotes.ts"
import { readTranscript } from "./readTranscript.ts"

/** What of the world services reach. */
export interface ServicesWorld {
  /** The state directory; without one there is no log to ask. */
  readonly state: string | undefined
  readonly project: string
  readonly cwd: string
  /** The agent's payload: it says where the transcript is. */
  readonly payload: JsonObject
}

export interface MadeServices {
  readonly services: Services
  /** Ends what still runs. */
  readonly end: () => void
}

/** The service by which a handler has a note stored: whoever records it sees to that. */
export const notesAdd = "notes.add"

const given = (options: object): JsonObject =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as JsonObject

export const makeServices = (world: ServicesWorld, { later, now }: Answers): MadeServices => {
  const running = new Set<() => void>()
  let reader: Reader | undefined
  const { cwd, payload, project, state } = world

  const log = (): Reader => {
    if (state === undefined) throw new ServiceError("NoLog", "there is no log here")
    reader ??= openReader(state)
    return reader
  }

  const onEnd = (end: () => void): (() => void) => {
    running.add(end)
    return () => running.delete(end)
  }

  const services: Services = {
    clock: { now: () => now("clock.now", null, Date.now) },
    random: {
      next: () => now("random.next", null, Math.random),
      uuid: () =>
        now("random.uuid", null, () =>
          uuidv7(
            Date.now(),
            Uint8Array.from({ length: 10 }, () => Math.random() * 256)
          )
        )
    },
    files: {
      read: (path, options = {}) =>
        later(
          "files.read",
          given({ path, ...options }),
          () => readText(resolve(cwd, path), options.maxBytes) as never
        ),
      exists: (path) => later("files.exists", { path }, () => kindAt(resolve(cwd, path))),
      list: (path) => later("files.list", { path }, () => listAt(resolve(cwd, path)) as never)
    },
    run: (command, args = [], options = {}) =>
      later("run", given({ command, args, ...options }), () => {
        const where = resolve(cwd, options.cwd ?? ".")
        return runCommand(command, args, { ...options, cwd: where }, onEnd) as never
      }),
    log: {
      facts: (query) => later("log.facts", given(query), () => readLog(log(), query, project) as never)
    },
    notes: {
      search: (query, { limit } = {}) =>
        later(
          "notes.search",
          given({ query, limit }),
          () => searchNotes(log(), project, query, limit) as never
        ),
      list: ({ limit } = {}) =>
        later("notes.list", given({ limit }), () => listNotes(log(), project, limit) as never),
      add: (note) =>
        later(notesAdd, given(note), () => {
          const words = [...(note.kind === undefined ? [] : [note.kind]), ...(note.tags ?? [])]
          const problem =
            noteProblem(note.text) ??
            words.map(wordProblem).find((one) => one !== undefined) ??
            shareProblem("importance", note.importance) ??
            shareProblem("confidence", note.confidence)
          if (problem !== undefined) throw new ServiceError("BadNote", problem)
          return undefined
        })
    },
    transcript: {
      read: ({ last } = {}) =>
        later(
          "transcript.read",
          given({ last }),
          () => readTranscript(payload["transcript_path"], last) as never
        )
    },
    call: (name, input, act) => later(`call ${name}`, input, act)
  }

  if (state !== undefined) settle(services, () => ({ state, reader: log() }))
  return {
    services,
    end: () => {
      for (const end of [...running]) end()
      reader?.close()
      reader = undefined
    }
  }
}
