/** Who watches the actors: each reads from a queue of its own, and one that does not keep up is dropped and told. */
import type { ActorFrame } from "./ActorView.ts"

/** Why a watcher hears no more: it did not take what there was, or nobody acts any more. */
export type WatchEnd = "too-slow" | "closed"

export interface Watched {
  readonly frames: readonly ActorFrame[]
  readonly end?: WatchEnd
}

export interface Watcher {
  /** What has come since it was asked last; as soon as there is something, else nothing after so long, milliseconds. */
  readonly next: (withinMs: number) => Promise<Watched>
  readonly close: () => void
}

export interface Watchers {
  readonly watch: (most?: number) => Watcher
  readonly publish: (frame: ActorFrame) => void
  readonly count: () => number
  /** Tells all of them that nothing more comes. */
  readonly close: () => void
}

/** More frames than this wait for no one. */
const maxFrames = 10_000

interface Reader {
  readonly put: (frame: ActorFrame) => void
  readonly end: (why: WatchEnd) => void
}

export const makeWatchers = (changed: () => void = () => undefined): Watchers => {
  const readers = new Set<Reader>()

  const watch = (most = maxFrames): Watcher => {
    let frames: ActorFrame[] = []
    let ended: WatchEnd | undefined
    let wake: () => void = () => undefined
    const take = (): Watched => {
      const taken = frames
      frames = []
      return { frames: taken, ...(ended === undefined ? {} : { end: ended }) }
    }
    const end = (why: WatchEnd): void => {
      if (!readers.delete(reader)) return
      ended = why
      wake()
      changed()
    }
    const reader: Reader = {
      end,
      put: (frame) => {
        if (frames.length >= most) {
          // What it has not read yet tells half a story.
          frames = []
          return end("too-slow")
        }
        frames.push(frame)
        wake()
      }
    }
    readers.add(reader)
    changed()
    return {
      next: (withinMs) => {
        if (frames.length > 0 || ended !== undefined) return Promise.resolve(take())
        return new Promise((resolve) => {
          const done = () => {
            clearTimeout(timer)
            wake = () => undefined
            resolve(take())
          }
          const timer = setTimeout(done, withinMs)
          wake = done
        })
      },
      close: () => end("closed")
    }
  }

  return {
    watch,
    publish: (frame) => {
      for (const { put } of readers) put(frame)
    },
    count: () => readers.size,
    close: () => {
      for (const { end } of [...readers]) end("closed")
    }
  }
}
