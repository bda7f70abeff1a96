/** Many copies of a log, each damaged another way: in how many something is gone, and in how many of those nobody was told. */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { copyOf, fill, fillJournal, flip, judge, makeRandom, readAll } from "./damaged.ts"

export interface Flips {
  /** Copies in which facts were changed or are gone. */
  readonly lossy: number
  /** Of those: a reader heard nothing of it. */
  readonly silent: readonly number[]
  /** Of those: the log passed for sound. */
  readonly passed: readonly number[]
}

const tried = async (count: number, damage: (nth: number) => string, base: string, aside: string) => {
  const want = await Effect.runPromise(readAll(copyOf(base, aside)))
  let lossy = 0
  const silent: number[] = []
  const passed: number[] = []
  for (let nth = 0; nth < count; nth++) {
    const { lost, sound, told } = await Effect.runPromise(judge(damage(nth), want))
    if (lost === 0) continue
    lossy++
    if (!told) silent.push(nth)
    if (sound) passed.push(nth)
  }
  return { lossy, silent, passed } satisfies Flips
}

/** Bytes of the log's own file. */
export const flipPages = async (root: string, count: number, seed: number): Promise<Flips> => {
  const base = join(root, "pages")
  await Effect.runPromise(fill(join(base, "log.sqlite")))
  const random = makeRandom(seed)
  const damage = (nth: number): string => {
    const file = copyOf(base, join(root, "flipped"))
    const bytes = readFileSync(file)
    flip(bytes, random, nth % 2 === 0)
    writeFileSync(file, bytes)
    return file
  }
  return tried(count, damage, base, join(root, "aside"))
}

/** A write-ahead log that holds all there is: flipped in every other copy, cut off somewhere in the others. */
export const flipJournals = async (root: string, count: number, seed: number): Promise<Flips> => {
  const base = join(root, "journals")
  await Effect.runPromise(fillJournal(join(root, "open"), base))
  const { size } = statSync(join(base, "log.sqlite-wal"))
  if (size < 100_000)
    throw new Error(`the write-ahead log holds ${size} bytes only: there is nothing to lose`)
  const random = makeRandom(seed)
  const damage = (nth: number): string => {
    const file = copyOf(base, join(root, "flipped"))
    const bytes = readFileSync(`${file}-wal`)
    if (nth % 2 === 0) flip(bytes, random, nth % 4 === 0)
    writeFileSync(`${file}-wal`, nth % 2 === 0 ? bytes : bytes.subarray(0, random(size)))
    return file
  }
  return tried(count, damage, base, join(root, "aside"))
}
