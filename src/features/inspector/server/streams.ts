/**
 * Server-sent events for whoever watches. The log is looked at for all of them at once, and only while there is somebody. A reader that
 * does not keep up is let go of: it comes again with the position it knows, and misses nothing.
 */
import type { ServerResponse } from "node:http"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { monotonic } from "../../../runtime/elapsed.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { type StreamEvents, StreamQuery } from "../contract/stream.ts"
import { callsMoved, factsMoved, missedSince, mostMissed, type Span } from "../read/changes.ts"
import { lastPosition, lastTold } from "../read/facts.ts"
import { actorsNow, statusNow } from "./answers.ts"
import type { Refused } from "./door.ts"
import type { World } from "./World.ts"
import { whatIsWrong } from "./whatIsWrong.ts"

/** What is on the log is to be on the screen within a tenth of a second: a glance, a look, and two frames of the page. */
const glanceEveryMs = 20
/** What a glance missed, as where somebody had the whole log to himself, is looked for all the same. */
const lookEveryMs = 1000
/** For each millisecond of the processor's that looks took: where calls come without a pause there is more to look at, and they want it too. */
const restMs = 6
/** What looks may take before they rest: a call of an agent's comes in three or four pieces, and the last is not to wait for the rest after the first. */
const burstMs = 60
/** After tables that were made anew within a look, too. */
const longestRestMs = 1000
/** Taking in what was spooled takes turns with a host that does the same. */
const spoolEveryMs = 200
const actorsEveryMs = 500
const statusEveryMs = 1000
const maxReaders = 16
/** Bytes that were written and not taken. */
const maxUnread = 4_000_000

const tooMany: Refused = { status: 409, code: "busy", message: `${maxReaders} pages watch already.` }

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

interface Told {
  readonly reader: Reader
  readonly upTo: number
  readonly moved: Moves | "gone"
}

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
  let glancedAt = 0
  /** What looks took of the processor and have not rested for. */
  let owedMs = 0

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
   * What came for everybody; false where the calls could not be brought up to the end of the log. Readers mostly stand at the same place:
   * what is asked for one is told to the others.
   */
  const tellMoves = (): boolean => {
    const { isAll, told } = world.ask((source) => {
      const upTo = lastTold(source)
      const end = lastPosition(source)
      const asked = new Map<string, Moves>()
      const told = [...readers].flatMap((reader): readonly Told[] => {
        const { position: after, session, topics } = reader
        // Another log stands in the place of the one it knows: it comes again, and reads anew.
        if (after > end) return [{ reader, upTo: after, moved: "gone" }]
        if (after >= upTo) return []
        const span: Span = { after, upTo, session }
        const key = JSON.stringify([after, session, ...topics])
        const moved: Moves = asked.get(key) ?? {
          ...(topics.has("calls") ? { calls: callsMoved(source, span) } : {}),
          ...(topics.has("facts") ? { facts: factsMoved(source, span) } : {})
        }
        asked.set(key, moved)
        return [{ reader, upTo, moved }]
      })
      return { told, isAll: upTo >= end }
    })
    for (const { moved, reader, upTo } of told) {
      // More than can be followed is read anew as well.
      if (moved === "gone" || (moved.facts?.facts.length ?? 0) >= mostMissed) {
        letGo(reader)
        continue
      }
      reader.position = upTo
      const { calls, facts } = moved
      if (calls !== undefined && calls.calls.length > 0) send(reader, "calls", calls)
      if (facts !== undefined && facts.facts.length > 0) send(reader, "facts", facts)
    }
    return isAll
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

  let said = ""
  /** Once, for as long as it stays the same: it is tried again many times a second. */
  const say = (error: unknown): void => {
    const text = messageOf(error)
    if (text !== said) note(text)
    said = text
  }

  /**
   * One after the other with a rest between, each begun by a look that does not wait for it: what was written is not to wait for a spool or a host
   * that is busy.
   */
  const aside = (everyMs: number, act: (now: number) => Promise<void>): ((now: number) => void) => {
    let isUnderway = false
    let endedAt = 0
    return (now) => {
      if (isUnderway || now - endedAt < everyMs) return
      isUnderway = true
      act(now)
        .catch(say)
        .finally(() => {
          isUnderway = false
          endedAt = Date.now()
        })
    }
  }
  const states = aside(0, tellStates)
  const spooled = aside(spoolEveryMs, () => world.takeIn())

  let isAllTold = true
  const look = (): void => {
    const before = process.cpuUsage()
    try {
      isAllTold = tellMoves()
      said = ""
    } catch (error) {
      say(error)
    }
    const { system, user } = process.cpuUsage(before)
    owedMs = Math.min(owedMs + (system + user) / 1000, burstMs + longestRestMs / restMs)
  }

  /** Many times a second: nothing is asked here that costs as much as a look for nothing. */
  const glance = (): void => {
    const now = Date.now()
    const began = monotonic()
    const isDue = now - lookedAt >= lookEveryMs
    if (isDue) lookedAt = now
    owedMs = Math.max(0, owedMs - (began - glancedAt) / restMs)
    glancedAt = began
    if (world.hasNews() || !isAllTold || isDue) look()
    // That it is on the log is news to the next glance.
    if (world.hasSpooled() || isDue) spooled(now)
    states(now)
  }

  const lookAgain = (): void => {
    if (timer !== undefined || isClosed || readers.size === 0) return
    timer = setTimeout(
      () => {
        timer = undefined
        glance()
        lookAgain()
      },
      Math.max(glanceEveryMs, restMs * (owedMs - burstMs))
    )
  }

  return {
    open: async (response, query) => {
      const asked = Schema.decodeUnknownEither(StreamQuery)(query)
      if (Either.isLeft(asked)) return { status: 400, code: "bad-request", message: whatIsWrong(asked.left) }
      if (readers.size >= maxReaders) return tooMany
      const { after, session, topics = "calls" } = asked.right
      const status = await statusNow(world)
      // Its end is heard from here on only, and others may have come meanwhile.
      if (isClosed || response.destroyed) return undefined
      if (readers.size >= maxReaders) return tooMany
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
