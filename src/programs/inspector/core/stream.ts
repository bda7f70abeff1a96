/** What happens now: one stream of events for the page, taken up again where it broke off. */
import { effect, signal } from "@preact/signals"
import type { StreamEvents } from "../../../features/inspector/contract/stream.ts"
import { ask, authorised } from "./api.ts"
import { makeSseReader, type Sent } from "./sse.ts"
import { dropToken, token } from "./token.ts"

type Events = StreamEvents
type Listener<K extends keyof Events> = (data: Events[K]) => void

export const status = signal<Events["status"] | null>(null)
/** `gone` since when; null while it answers. */
export const goneSince = signal<number | null>(null)
/** Facts that came while the host was gone; null where nobody needs to be told. */
export const missed = signal<number | null>(null)
/** Grows when the log did, at most twice a second: who shows sums asks again. */
export const tick = signal(0)

let position: number | null = null
let connection: AbortController | undefined
const topics = signal<string>("calls")
const listeners = new Map<keyof Events, Set<Listener<keyof Events>>>()

const tell = <K extends keyof Events>(event: K, data: Events[K]): void => {
  for (const listener of listeners.get(event) ?? []) listener(data)
}

/** Hears events of one kind until the function that comes back is called. */
export const hear = <K extends keyof Events>(event: K, listener: Listener<K>): (() => void) => {
  const all = listeners.get(event) ?? new Set()
  listeners.set(event, all)
  all.add(listener as Listener<keyof Events>)
  const wanted = [...listeners].filter(([, { size }]) => size > 0).map(([name]) => name as string)
  topics.value = ["calls", ...["facts", "actors"].filter((one) => wanted.includes(one))].join(",")
  return () => void all.delete(listener as Listener<keyof Events>)
}

let isTickDue = false
const tickSoon = (): void => {
  if (isTickDue) return
  isTickDue = true
  setTimeout(() => {
    isTickDue = false
    tick.value++
  }, 500)
}

const take = ({ data, event, id }: Sent): void => {
  if (id !== null && id !== "") position = Number(id)
  const read = JSON.parse(data) as never
  switch (event) {
    case "hello": {
      const hello = read as Events["hello"]
      status.value = hello.status
      if (goneSince.value !== null) missed.value = hello.missed
      goneSince.value = null
      if (position === null) position = hello.position
      // What is too much to follow is read anew.
      tick.value++
      tell("hello", hello)
      return
    }
    case "status":
      status.value = read
      return
    case "calls":
    case "facts":
      tickSoon()
      tell(event, read)
      return
    case "actors":
      tell("actors", read)
  }
}

const readAll = async (signal: AbortSignal): Promise<void> => {
  const after = position === null ? "" : `&after=${position}`
  const response = await fetch(`/api/v1/stream?topics=${topics.value}${after}`, {
    headers: authorised(),
    signal
  })
  if (response.status === 401) return dropToken()
  if (!response.ok || response.body === null) throw new Error(`the stream answered ${response.status}`)
  const read = makeSseReader()
  const decoder = new TextDecoder()
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    for (const sent of read(decoder.decode(value, { stream: true }))) take(sent)
  }
}

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

const keepReading = async (mine: AbortController): Promise<void> => {
  let failures = 0
  while (!mine.signal.aborted && token.value !== null) {
    const began = Date.now()
    await readAll(mine.signal).catch(() => undefined)
    if (mine.signal.aborted || token.value === null) return
    if (Date.now() - began > 5_000) failures = 0
    goneSince.value ??= Date.now()
    failures++
    await pause(Math.min(250 * failures, 2_000))
  }
}

export const startStream = (): void => {
  ask("status")
    .then((first) => {
      status.value ??= first
    })
    .catch(() => {
      goneSince.value ??= Date.now()
    })
  // Another view wants to hear of other things: the stream is opened anew from where it was.
  effect(() => {
    void topics.value
    connection?.abort()
    connection = new AbortController()
    void keepReading(connection)
  })
}
