/** Where services have their answers from: the world, each answer recorded, or what was recorded, and then nothing else. */
import type { ServiceCalled } from "../../../events/facts.ts"
import type { Json } from "../../../events/intents.ts"
import { UnrecordedCall } from "../../hooks/UnrecordedCall.ts"
import { redact } from "../../redact/redact.ts"
import { asError } from "../errors.ts"

/** The run of a handler that asks. */
export interface Asking {
  readonly handler: string
  readonly event: string
  readonly index: number
  readonly attempt: number
}

export interface Answers {
  readonly now: <A extends Json>(service: string, input: Json, act: () => A) => A
  readonly later: <A extends Json | undefined>(
    service: string,
    input: Json,
    act: () => A | Promise<A>
  ) => Promise<A>
  /** The handler is over: what it asked for, in that order. Whatever it asks from now on is refused. */
  readonly close: () => readonly ServiceCalled[]
}

/** A service that could not do what it was asked for. */
export class ServiceError extends Error {
  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

/** Of one run of a handler. An answer that does not fit is given all the same, and only its size is recorded. */
export const maxRecorded = 4_194_304
/** A handler that asks more often does not get an answer. */
export const maxCalls = 10_000

const plain = <A extends Json>(value: A): A => JSON.parse(JSON.stringify(value)) as A

type Entry = { -readonly [K in keyof ServiceCalled]: ServiceCalled[K] }

/** Of a question whose answer did not come while the handler ran. */
const unfinished = { name: "Unfinished", message: "had no answer when the handler was over" } as const

/** Asks the world. `elapsed`: monotonic milliseconds. */
export const liveAnswers = (asking: Asking, elapsed: () => number): Answers => {
  const entries: Entry[] = []
  let recorded = 0
  let closed = false

  const begin = (service: string, input: Json): Entry => {
    if (closed) throw new ServiceError("HandlerOver", `${service}: the handler is over`)
    if (entries.length === maxCalls)
      throw new ServiceError("TooManyCalls", `${service}: a handler may ask ${maxCalls} times`)
    const at = elapsed()
    const entry: Entry = {
      type: "SERVICE_CALLED",
      ...asking,
      call: entries.length + 1,
      service,
      input: plain(input),
      error: unfinished,
      fromUs: Math.round(at * 1000),
      ms: at
    }
    entries.push(entry)
    return entry
  }

  const took = (entry: Entry): void => {
    entry.ms = Math.round((elapsed() - entry.ms) * 1000) / 1000
  }

  /** As it stands on the log, so that a replay gives the very same. */
  const answered = <A extends Json | undefined>(entry: Entry, value: A): A => {
    took(entry)
    delete entry.error
    const text = JSON.stringify(value) as string | undefined
    if (text === undefined) return undefined as A
    const bytes = text.length
    recorded += bytes
    if (recorded > maxRecorded) {
      recorded -= bytes
      entry.omitted = bytes
    } else entry.result = JSON.parse(text) as Json
    return JSON.parse(text) as A
  }

  const failed = (entry: Entry, thrown: unknown): ServiceError => {
    took(entry)
    const { name, message } = asError(thrown)
    entry.error = { name: String(name), message: String(message) }
    return new ServiceError(entry.error.name, entry.error.message)
  }

  return {
    now: (service, input, act) => {
      const entry = begin(service, input)
      try {
        return answered(entry, act())
      } catch (thrown) {
        throw failed(entry, thrown)
      }
    },
    later: async (service, input, act) => {
      const entry = begin(service, input)
      try {
        const value = await act()
        return closed ? value : answered(entry, value)
      } catch (thrown) {
        if (closed) throw thrown
        throw failed(entry, thrown)
      }
    },
    close: () => {
      closed = true
      for (const entry of entries) if (entry.error?.name === unfinished.name) took(entry)
      return entries
    }
  }
}

const isSame = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A replay does not have the answer either: a handler that waited for it in vain does so again. */
const never = new Promise<never>(() => {})

/** On the log a question stands without its secrets. */
const isOf = (recorded: Json, asked: Json): boolean =>
  isSame(recorded, asked) || isSame(recorded, redact({ asked }).asked)

/**
 * Asks nobody. The answer to a call is the next that was recorded of this handler for the same service and the same input, so that
 * a handler which asks for several things at once gets each its own.
 */
export const recordedAnswers = (
  asking: Asking,
  recorded: readonly ServiceCalled[],
  /** It ran out of time: what it asked for in vain may not be recorded, where its process was ended for it. */
  isLate = false
): Answers => {
  const left = recorded
    .filter(
      ({ attempt, event, handler }) =>
        handler === asking.handler && event === asking.event && attempt === asking.attempt
    )
    // A handler may be planned several times for like events; its own run comes first.
    .toSorted((a, b) => Number(a.index !== asking.index) - Number(b.index !== asking.index))

  const look = (service: string, asked: Json): ServiceCalled | undefined => {
    const at = left.findIndex((one) => one.service === service && isOf(one.input, asked))
    return at === -1 ? undefined : left.splice(at, 1)[0]
  }

  const find = (service: string, input: Json): ServiceCalled => {
    const asked = plain(input)
    const found = look(service, asked)
    if (found === undefined && isLate)
      return { type: "SERVICE_CALLED", ...asking, call: 0, service, input: asked, error: unfinished, ms: 0 }
    if (found === undefined) throw new UnrecordedCall(service, asked)
    if (found.omitted !== undefined)
      throw new UnrecordedCall(service, asked, `was too long to be recorded: ${found.omitted} characters`)
    return found
  }

  const answerOf = ({ error, result }: ServiceCalled): never => {
    if (error !== undefined) throw new ServiceError(error.name, error.message)
    return result as never
  }

  return {
    now: (service, input) => answerOf(find(service, input)),
    later: async (service, input) => {
      const found = find(service, input)
      return found.error?.name === unfinished.name ? never : answerOf(found)
    },
    close: () => []
  }
}
