/** A long list by pages of 200: those that somebody rests on are fetched, those that were stay. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { type AskError, askErrorOf } from "./AskError.ts"
import { useAsker } from "./useAsker.ts"

const size = 200
/** Whoever drags through a long list reads nothing of what flies by: what is in sight then is fetched once it stays there for so long. */
const restMs = 80
const nearby = size / 4

interface Part {
  readonly total: number
  readonly upTo: number
}

export interface Pages<A, P> {
  readonly total: number
  readonly row: (at: number) => A | undefined
  /** Places of rows that are there already and are such, in order. */
  readonly placesOf: (isSuch: (row: A) => boolean) => readonly number[]
  /** Another number each time that other rows are there. */
  readonly version: number
  readonly onSight: (from: number, to: number) => void
  /** What came with the newest part. */
  readonly part: P | undefined
  readonly error: AskError | undefined
  readonly isWaiting: boolean
}

/**
 * `question` names the list: another one begins anew. `tick` reads it anew from its newest end and shows what was there until the
 * new rows are; another `turn` does so at once. `rowsOf` takes the rows out of a part.
 */
export const usePages = <A, P extends Part>(
  question: string,
  tick: unknown,
  fetchPart: (offset: number, limit: number, upTo: number | undefined) => Promise<P>,
  rowsOf: (part: P) => readonly A[],
  turn = 0
): Pages<A, P> => {
  const [version, redraw] = useState(0)
  const state = useRef({
    question: "",
    generation: 0,
    pages: new Map<number, readonly A[]>(),
    asked: new Set<number>(),
    part: undefined as P | undefined,
    error: undefined as AskError | undefined,
    sight: [0, 50] as readonly [number, number],
    resting: undefined as ReturnType<typeof setTimeout> | undefined
  })
  const current = useRef({ fetchPart, rowsOf })
  current.current = { fetchPart, rowsOf }

  const want = useCallback((page: number): void => {
    const here = state.current
    if (here.asked.has(page)) return
    here.asked.add(page)
    const { generation } = here
    current.current
      .fetchPart(page * size, size, here.part?.upTo)
      .then((part) => {
        if (here.generation !== generation) return
        here.pages.set(page, current.current.rowsOf(part))
        here.part ??= part
        redraw((n) => n + 1)
      })
      .catch((cause) => {
        if (here.generation !== generation) return
        here.asked.delete(page)
        here.error = askErrorOf(cause)
        redraw((n) => n + 1)
      })
  }, [])

  const wantSight = useCallback((): void => {
    const { part, sight } = state.current
    if (part === undefined) return
    const [from, to] = sight
    for (let page = Math.floor(from / size); page <= Math.floor(Math.max(from, to - 1) / size); page++)
      want(page)
  }, [want])
  const onSight = useCallback(
    (from: number, to: number): void => {
      const here = state.current
      const [before, end] = here.sight
      // Whatever else is drawn anew meanwhile is no rest.
      if (here.resting !== undefined && from === before && to === end) return
      here.sight = [from, to]
      clearTimeout(here.resting)
      here.resting = undefined
      if (Math.abs(from - before) <= nearby) wantSight()
      else
        here.resting = setTimeout(() => {
          here.resting = undefined
          wantSight()
        }, restMs)
    },
    [wantSight]
  )
  useEffect(() => () => clearTimeout(state.current.resting), [])
  const here = state.current
  if (here.question !== question)
    Object.assign(here, {
      question,
      generation: here.generation + 1,
      pages: new Map(),
      part: undefined,
      asked: new Set(),
      error: undefined
    })
  useAsker<P>(`${turn} ${question}`, tick, {
    ask: () => current.current.fetchPart(0, size, undefined),
    slow: () => undefined,
    heard: (outcome) => {
      const there = state.current
      // Drawn anew for another list already, which asks for itself in a moment.
      if (there.question !== question) return
      if ("error" in outcome) there.error = outcome.error
      else {
        // Pages that are under way are of the list as it was.
        there.generation++
        there.pages = new Map([[0, current.current.rowsOf(outcome.value)]])
        there.asked = new Set([0])
        there.part = outcome.value
        there.error = undefined
        wantSight()
      }
      redraw((n) => n + 1)
    }
  })

  const { error, pages, part } = here
  return {
    total: part?.total ?? 0,
    row: (at) => pages.get(Math.floor(at / size))?.[at % size],
    placesOf: (isSuch) =>
      [...pages]
        .sort(([a], [b]) => a - b)
        .flatMap(([page, rows]) => rows.flatMap((one, nth) => (isSuch(one) ? [page * size + nth] : []))),
    version,
    onSight,
    part,
    error,
    isWaiting: part === undefined && error === undefined
  }
}
