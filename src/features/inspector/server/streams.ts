/**
 * Server-sent events for whoever watches. The log is looked at for all of them at once, and only while there is somebody. A reader that
 * does not keep up is let go of: it comes again with the position it knows, and misses nothing.
 */
import type { ServerResponse } from "node:http"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { type StreamEvents, StreamQuery } from "../contract/stream.ts"
import { callsMoved, factsMoved, missedSince, mostMissed, type Span } from "../read/changes.ts"
import { lastPosition } from "../read/facts.ts"
import { actorsNow, statusNow } from "./answers.ts"
import type { Refused } from "./door.ts"
import type { World } from "./World.ts"
import { whatIsWrong } from "./whatIsWrong.ts"

/** What is on the log is on the screen within a tenth of a second: a glance, a look, and two frames of the page. */
const glanceEveryMs = 15
/** What no glance shows, such as the spool of a host that is gone, is looked for all the same. */
const lookEveryMs = 1000
/** For each millisecond of the processor's that a look took: where calls come without a pause there is more to look at, and they want it too. */
const restMs = 3
const actorsEveryMs = 500
const statusEveryMs = 1000
const maxReaders = 16
/** Bytes that were written and not taken. */
const maxUnread = 4_000_000

interface Reader {
  readonly response: ServerResponse
  readonly topics: ReadonlySet<string>
  readonly session: string | undefined
  position: number
}

export interface Streams {
  /** Undefined where the reader is served from now on. */
  readonly open: (response: ServerResponse, query: unknown) => Promise<Refused | undefined>
  readonly close: () => void
}

/** What came for a reader, by topic. */
type Moves = Partial<Pick<StreamEvents, "calls" | "facts">>

/** Says it again only when something in it changed: what the clock alone moves is nothing. */
const makeChanged = () => {
  let before = ""
  return (value: object): boolean => {
    const text = JSON.stringify({ ...value, now: 0, at: 0 })
    const isNew = text !== before
    before = text
    return isNew
  }
}

export const makeStreams = (world: World, note: (text: string) => void): Streams => {
  const readers = new Set<Reader>()
  const isNewStatus = makeChanged()
  const isNewActors = makeChanged()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let actorsAt = 0
  let statusAt = 0
  let lookedAt = 0
  let tookMs = 0

  const letGo = (reader: Reader): void => {
    readers.delete(reader)
    reader.response.destroy()
  }

  const send = <K extends keyof StreamEvents>(reader: Reader, event: K, data: StreamEvents[K]): void => {
    const { response } = reader
    response.write(`event: ${event}\nid: ${reader.position}\ndata: ${JSON.stringify(data)}\n\n`)
    if (response.writableLength > maxUnread) letGo(reader)
  }

  /**
   * What came for everybody. How far is asked first: what is written after that is told with the next, since the calls as they stand may
   * not have it yet. Readers mostly stand at the same place: what is asked for one is told to the others.
   */
  const tellMoves = (): void => {
    const upTo = world.ask(lastPosition)
    const behind = [...readers].filter(({ position }) => position < upTo)
    if (behind.length === 0) return
    const told = world.ask((source) => {
      const asked = new Map<string, Moves>()
      return behind.map((reader) => {
        const { position: after, session, topics } = reader
        const span: Span = { after, upTo, session }
        const key = JSON.stringify([after, session, ...topics])
        const moved: Moves = asked.get(key) ?? {
          ...(topics.has("calls") ? { calls: callsMoved(source, span) } : {}),
          ...(topics.has("facts") ? { facts: factsMoved(source, span) } : {})
        }
        asked.set(key, moved)
        return { reader, moved }
      })
    })
    for (const { moved, reader } of told) {
      reader.position = upTo
      const { calls, facts } = moved
      if (calls !== undefined && calls.calls.length > 0) send(reader, "calls", calls)
      if (facts !== undefined && facts.facts.length > 0) send(reader, "facts", facts)
    }
  }

  const tellStates = async (now: number): Promise<void> => {
    const watching = [...readers].filter(({ topics }) => topics.has("actors"))
    if (watching.length > 0 && now - actorsAt >= actorsEveryMs) {
      actorsAt = now
      const actors = await actorsNow(world)
      if (isNewActors(actors)) for (const reader of watching) send(reader, "actors", actors)
    }
    if (now - statusAt >= statusEveryMs) {
      statusAt = now
      const status = await statusNow(world)
      if (isNewStatus(status)) for (const reader of readers) send(reader, "status", status)
    }
  }

  const say = (error: unknown): void => note(error instanceof Error ? error.message : String(error))

  /** One after the other, each begun by a look and waited for by none: what was written is not to wait for a spool or a host that is busy. */
  const aside = (act: (now: number) => Promise<void>): ((now: number) => void) => {
    let isUnderway = false
    return (now) => {
      if (isUnderway) return
      isUnderway = true
      act(now)
        .catch(say)
        .finally(() => {
          isUnderway = false
        })
    }
  }
  const states = aside(tellStates)
  const spooled = aside(() => world.takeIn())

  const look = (): void => {
    const now = Date.now()
    const before = process.cpuUsage()
    const isDue = now - lookedAt >= lookEveryMs
    if (isDue) lookedAt = now
    if (world.hasNews() || isDue) tellMoves()
    const { system, user } = process.cpuUsage(before)
    tookMs = (system + user) / 1000
    // That it is on the log is news to the next glance.
    if (world.hasSpooled() || isDue) spooled(now)
    states(now)
  }

  const lookAgain = (): void => {
    if (timer !== undefined || isClosed || readers.size === 0) return
    timer = setTimeout(
      () => {
        timer = undefined
        try {
          look()
        } catch (error) {
          say(error)
        }
        lookAgain()
      },
      Math.max(glanceEveryMs, restMs * tookMs)
    )
  }

  return {
    open: async (response, query) => {
      const asked = Schema.decodeUnknownEither(StreamQuery)(query)
      if (Either.isLeft(asked)) return { status: 400, code: "bad-request", message: whatIsWrong(asked.left) }
      if (readers.size >= maxReaders)
        return { status: 409, code: "busy", message: `${maxReaders} pages watch already.` }
      const { after, session, topics = "calls" } = asked.right
      const status = await statusNow(world)
      const { position } = status
      const missed = after === undefined ? 0 : world.ask((source) => missedSince(source, after))
      const isFollowed = after !== undefined && missed <= mostMissed
      // It is told as its place: if it breaks off before what it missed has come, it asks for that again.
      const place = isFollowed ? Math.min(after, position) : position
      const reader: Reader = { response, session, topics: new Set(topics.split(",")), position: place }
      response.on("close", () => readers.delete(reader))
      response.writeHead(200, { "content-type": "text/event-stream" })
      send(reader, "hello", { position, missed, status })
      readers.add(reader)
      // What it missed comes at once, and where actors are watched they do.
      if (reader.topics.has("actors")) send(reader, "actors", await actorsNow(world))
      tellMoves()
      lookAgain()
      return undefined
    },
    close: () => {
      isClosed = true
      clearTimeout(timer)
      for (const reader of readers) {
        send(reader, "bye", { reason: "hooktape inspect was ended" })
        reader.response.end()
      }
      readers.clear()
    }
  }
}
