/** One fact after the other, taken into the chains of its session. The store says where they are kept. */
import type { Fact } from "../../../events/facts.ts"
import type { ChainSign } from "../../../machines/chain.ts"
import type { FactPlace } from "../../log/projection.ts"
import { type Awaited, type Chain, isOpen, moved, opened, type Subject } from "./Chain.ts"
import { type Failure, toolOutcomesIn } from "./toolOutcomes.ts"
import { folderOf } from "./where.ts"

export interface ChainStore {
  /** The open ones, in the order in which they were opened. */
  readonly ofSession: (session: string | null, project: string | null) => readonly Chain[]
  /** The open ones of a session, whatever the project. */
  readonly everywhere: (session: string) => readonly Chain[]
  /** The open ones of a project that have not moved since. */
  readonly stale: (project: string | null, before: number) => readonly Chain[]
  readonly put: (chain: Chain) => void
}

/** A fact's place; one that waits in the spool has no position yet. */
export type Where = Omit<FactPlace, "position"> & { readonly position: number | undefined }

/** Sessions that never end leave no more than this behind, and for no longer than that. */
const maxOpen = 20
const longestMs = 86_400_000

export const followedTypes = ["PAYLOAD_BUFFERED"] as const

const nameOf = (subject: Subject, project: string | null): string =>
  subject.type === "check"
    ? [`check ${subject.purpose}`, folderOf(subject, project), subject.option].join(" ").trimEnd()
    : subject.name

/** The same error of the same thing. */
export const keyOf = (
  { signature, subject }: Pick<Failure, "signature" | "subject">,
  project: string | null
): string => `${nameOf(subject, project)}\n${signature}`

/** What changes how a check looks, and not what it checks. */
const cosmetic =
  /^(?:--?|-[sqvx]|--(?:silent|quiet|verbose|no-color|color|run|bail|reporter)(?:=.*)?|\d*[<>].*)$/

const wordsOf = (text: string): readonly string[] => text.split(" ").filter((word) => !cosmetic.test(word))

/** A check that asks for no less than the one that failed. */
const covers = (well: string, failed: string): boolean => {
  const there = new Set(wordsOf(failed))
  return wordsOf(well).every((word) => there.has(word))
}

const isWell = (awaits: Awaited, well: Awaited): boolean => {
  if (awaits.type === "other") return well.type === "other" && well.name === awaits.name
  if (well.type !== "check" || well.purpose !== awaits.purpose || well.option !== awaits.option) return false
  // Some agents tell the folder before a call, some that after it: written the same it is the same.
  const isThere = well.folder === awaits.folder || (well.cd !== "" && well.cd === awaits.cd)
  return isThere && covers(well.text, awaits.text)
}

const cwdOf = (payload: string): string | null => {
  try {
    const { cwd } = JSON.parse(payload) as { readonly cwd?: unknown }
    return typeof cwd === "string" ? cwd : null
  } catch {
    return null
  }
}

const invocationOf = (stream: string): string => stream.slice(stream.indexOf("/") + 1)

export const follow = (store: ChainStore, fact: Fact, where: Where): void => {
  if (fact.type !== "PAYLOAD_BUFFERED") return
  const { agent, at, position, project, session, stream } = where
  const move = (chain: Chain, sign: ChainSign): void => {
    const next = moved(chain, sign)
    if (next !== chain) store.put(next)
  }
  const leave = (chain: Chain, why: string): void => move(chain, { type: "CHAIN_LEFT", at, why })
  const open = (): readonly Chain[] => store.ofSession(session, project)
  const cwd = cwdOf(fact.payload)
  const placed = (subject: Subject): Awaited =>
    subject.type === "check" ? { ...subject, folder: folderOf(subject, cwd ?? project) } : subject

  const fail = (failure: Failure): void => {
    const key = keyOf(failure, project)
    const there = open()
    const known = there.find((one) => one.key === key)
    if (known !== undefined) {
      const again = moved(known, { type: "ERROR_OBSERVED", at })
      store.put({ ...again, awaits: placed(failure.subject) })
      return
    }
    const { message, signature, subject } = failure
    const context = { ...failure.context, cwd }
    const id = invocationOf(stream)
    const opening = { id, project, session, agent, position, signature, message, key, context }
    store.put(opened({ ...opening, awaits: placed(subject) }, at))
    const [oldest] = there
    if (there.length >= maxOpen && oldest !== undefined) leave(oldest, "too many others are open")
  }

  for (const one of store.stale(project, at - longestMs)) leave(one, "no more was heard of it for a day")
  const { by, did, ended, failed, well } = toolOutcomesIn(fact)
  const before = new Set(open().map(({ id }) => id))
  if (failed !== undefined) fail(failed)
  if (well.length > 0)
    for (const one of open())
      if (well.some((subject) => isWell(one.awaits, placed(subject))))
        move(one, { type: "ERROR_GONE", at, by })
  const key = failed && keyOf(failed, project)
  if (did.length > 0)
    for (const one of open().filter((chain) => before.has(chain.id) && chain.key !== key))
      for (const attempt of did) {
        // What had failed is tried again, not something against it.
        if (attempt.what === one.context.command) continue
        const now = open().find(({ id }) => id === one.id)
        if (now !== undefined && isOpen(now)) move(now, { type: "FIX_ATTEMPTED", at, ...attempt })
      }
  if (ended && session !== null) for (const one of store.everywhere(session)) leave(one, "the session ended")
}
