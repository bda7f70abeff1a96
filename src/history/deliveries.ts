/**
 * What background hooks left for the next event of their session: one small file for each job that has something to say. Whoever
 * takes one along names it after its invocation, so that of several calls at one moment one has it; it goes when that call's reply
 * is known to have carried it. On the log it is as well: with the job, and with the reply that it went into.
 */
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Intent } from "../../events/intents.ts"
import type { Delivering } from "../hooks/delivery.ts"
import { fileKey } from "../state/fileKey.ts"
import { readRegular } from "../state/readRegular.ts"

/** What one job has to say. */
export interface Waiting {
  readonly session: string
  readonly invocation: string
  readonly job: string
  readonly handler: string
  /** The event that the hook ran on. */
  readonly event: string
  /** When it was said, milliseconds since 1970. */
  readonly at: number
  /** Nobody is to hear of it after this time. */
  readonly until: number
  /** Redacted. */
  readonly intents: readonly Intent[]
}

export interface TakenAlong {
  readonly heard: readonly Waiting[]
  /** Nobody hears of them any more. */
  readonly tooOld: readonly Waiting[]
}

/** What became of what a reply took along: it got there, or not; or that is not known yet. */
export type Carried = "yes" | "no" | "open"

/** Of one session. A model that is told more at once has stopped to read. */
export const mostWaiting = 20
/** Characters. What is beyond them waits for another reply. */
const longestAtOnce = 8000

/** A session that goes on is told what became too old for it; one that does not by then has ended. */
const longEnoughMs = 86_400_000

export const deliveriesFolder = "deliveries"

const prefixOf = (session: string): string => `${fileKey(session)}-`

const named = /^([0-9a-f]{16}-\d{15}-([0-9a-f-]{36}))(?:\.([0-9a-f-]{36}))?$/

interface Entry {
  readonly file: string
  /** Its path as long as nobody takes it along. */
  readonly free: string
  readonly job: string
  /** The invocation that took it along. */
  readonly by: string | undefined
}

/** Oldest first. */
const listed = (state: string, prefix = ""): readonly Entry[] => {
  const folder = join(state, deliveriesFolder)
  let names: readonly string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names
    .filter((name) => name.startsWith(prefix))
    .sort()
    .flatMap((name) => {
      const [, free, job, by] = named.exec(name) ?? []
      return free === undefined || job === undefined
        ? []
        : [{ file: join(folder, name), free: join(folder, free), job, by }]
    })
}

const isWord = (value: unknown): boolean => {
  const { text, type } = (value ?? {}) as Readonly<Record<string, unknown>>
  return (type === "MODEL_CONTEXT" || type === "USER_HINT") && typeof text === "string"
}

const isWhole = (value: unknown): value is Waiting => {
  if (typeof value !== "object" || value === null) return false
  const one = value as Readonly<Record<keyof Waiting, unknown>>
  const texts = [one.session, one.invocation, one.job, one.handler, one.event]
  const isWords = Array.isArray(one.intents) && one.intents.every(isWord)
  return (
    isWords && texts.every((text) => typeof text === "string") && [one.at, one.until].every(Number.isFinite)
  )
}

/** Undefined where somebody took it meanwhile, or where it is none that we wrote. */
const read = (file: string): Waiting | undefined => {
  try {
    const value: unknown = JSON.parse(readRegular(file).toString("utf8"))
    return isWhole(value) ? value : undefined
  } catch {
    return undefined
  }
}

const remove = ({ file }: Entry): void => rmSync(file, { force: true })

/** Whether anything waits for the session's next event, at a glance. */
export const isWaiting = (state: string, session: string | null): boolean =>
  session !== null && listed(state, prefixOf(session)).length > 0

/**
 * Leaves what a job has to say, once however often the job is done. Says whose word it takes the place of: the same word, an older
 * one of a hook that keeps the newest, or the oldest where too many wait.
 */
export const leave = (
  state: string,
  waiting: Waiting,
  { keep }: Pick<Delivering, "keep">
): readonly string[] => {
  const folder = join(state, deliveriesFolder)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  forgetDeliveries(state, ({ until }) => until + longEnoughMs < waiting.at)
  const prefix = prefixOf(waiting.session)
  const there = listed(state, prefix)
  if (there.some(({ job }) => job === waiting.job)) return []
  const said = JSON.stringify(waiting.intents)
  const free = there.filter(({ by }) => by === undefined)
  const isReplaced = ({ file }: Entry): boolean => {
    const other = read(file)
    if (other?.handler !== waiting.handler) return false
    return keep === "newest" || JSON.stringify(other.intents) === said
  }
  const replaced = free.filter(isReplaced)
  const others = free.filter((one) => !replaced.includes(one))
  const gone = [...replaced, ...others.slice(0, Math.max(0, others.length + 1 - mostWaiting))]
  const name = `${prefix}${String(waiting.at).padStart(15, "0")}-${waiting.job}`
  const aside = join(folder, `.${name}`)
  writeFileSync(aside, JSON.stringify(waiting), { mode: 0o600 })
  renameSync(aside, join(folder, name))
  for (const one of gone) remove(one)
  return gone.map(({ job }) => job)
}

/** The length of what the model and the human are to read. */
const lengthOf = ({ intents }: Waiting): number =>
  intents.reduce((sum, intent) => sum + ("text" in intent ? (intent.text?.length ?? 0) : 0), 0)

/** False where somebody else was there before. */
const taken = (from: string, to: string): boolean => {
  try {
    renameSync(from, to)
    return true
  } catch {
    return false
  }
}

/** A reply that can take something along. */
export interface Taking {
  readonly session: string
  readonly invocation: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** What became of what another invocation took along. */
  readonly carried: (invocation: string) => Carried
  /** Whether the agent takes it here. */
  readonly accepts: (waiting: Waiting) => boolean
}

/** Takes along what waits, the oldest first. */
export const takeAlong = (
  state: string,
  { accepts, carried, invocation, now, session }: Taking
): TakenAlong => {
  const heard: Waiting[] = []
  const tooOld: Waiting[] = []
  let length = 0
  for (const entry of listed(state, prefixOf(session))) {
    const { by, file, free } = entry
    const before = by === undefined ? "no" : carried(by)
    if (before === "yes") remove(entry)
    if (before !== "no") continue
    const waiting = read(file)
    const isOld = waiting === undefined || waiting.until < now
    // Names of files are short: another session's may begin alike.
    if (!isOld && (waiting.session !== session || !accepts(waiting))) continue
    if (!isOld && heard.length > 0 && length + lengthOf(waiting) > longestAtOnce) break
    const mine = `${free}.${invocation}`
    if (!taken(file, mine)) continue
    if (isOld) {
      rmSync(mine, { force: true })
      if (waiting !== undefined) tooOld.push(waiting)
      continue
    }
    length += lengthOf(waiting)
    heard.push(waiting)
  }
  return { heard, tooOld }
}

/** Of what nobody came back for, and of what is to be forgotten. */
export const forgetDeliveries = (
  state: string,
  isForgotten: (waiting: Waiting) => boolean
): readonly string[] =>
  listed(state).flatMap((entry) => {
    const waiting = read(entry.file)
    if (waiting !== undefined && !isForgotten(waiting)) return []
    remove(entry)
    return [entry.file]
  })
