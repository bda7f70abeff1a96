/** Which actors live in this process, where each stands and since when, and every step they take, for whoever watches. */
import type { AnyMachineSnapshot } from "xstate"
import type { Machine, Step } from "../../../machines/step.ts"
import { start, stateOf } from "../../../machines/step.ts"
import type { ActorFrame, ActorView, Subject } from "./ActorView.ts"
import { makeWatchers, type Watcher } from "./watchers.ts"

interface Typed {
  readonly type: string
}

/** An actor while it lives. */
export interface LiveActor<F extends Typed, C extends Typed> {
  readonly stream: string
  readonly snapshot: () => AnyMachineSnapshot
  /** After each step: it stands where the step leads. */
  readonly moved: (fact: F, step: Step<C>) => void
  /** What was learnt of it meanwhile. */
  readonly about: (subject: Subject) => void
  /** It is over, or somebody else goes on with it. */
  readonly leave: () => void
}

/** Where others say which actors they have: asked only when somebody looks. */
export type ActorSource = () => Iterable<ActorView>

export interface Registry {
  readonly enter: <F extends Typed, C extends Typed>(
    machine: Machine<F, C>,
    stream: string,
    subject: Subject
  ) => LiveActor<F, C>
  readonly source: (views: ActorSource) => void
  readonly actors: () => readonly ActorView[]
  /** Asked before a frame is made: without anybody who watches there is none. */
  readonly isWatched: () => boolean
  /** A step of an actor that this process has, and names with a source. */
  readonly publish: (frame: ActorFrame) => void
  /** A step of an actor that lives elsewhere. */
  readonly relay: (frame: ActorFrame) => void
  readonly watch: (most?: number) => Watcher
  /** Whether this process took a step of it since somebody began to watch. */
  readonly hasShown: (stream: string) => boolean
  readonly close: () => void
}

export interface RegistryOptions {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Told when the first one watches, and when nobody does any more. */
  readonly watched?: (is: boolean) => void
}

interface Entry {
  readonly view: () => ActorView
}

/** So many streams are remembered: those that others go on with are told from ours by it. */
const maxShown = 20_000

const iso = (at: number): string => new Date(at).toISOString()

export const makeRegistry = ({ now, watched }: RegistryOptions): Registry => {
  const live = new Map<string, Entry>()
  const sources: ActorSource[] = []
  const shown = new Set<string>()
  let isWatched = false
  const watchers = makeWatchers(() => {
    const before = isWatched
    isWatched = watchers.count() > 0
    if (before === isWatched) return
    shown.clear()
    for (const stream of live.keys()) if (isWatched) shown.add(stream)
    watched?.(isWatched)
  })

  const show = (stream: string): void => {
    if (shown.has(stream)) return
    if (shown.size >= maxShown) for (const oldest of [...shown].slice(0, maxShown / 2)) shown.delete(oldest)
    shown.add(stream)
  }

  const enter: Registry["enter"] = (machine, stream, subject) => {
    let { snapshot } = start(machine)
    let since = now()
    let about = subject
    const entry: Entry = {
      view: () => ({ stream, machine: machine.id, state: stateOf(snapshot), since: iso(since), ...about })
    }
    live.set(stream, entry)
    if (isWatched) show(stream)
    return {
      stream,
      snapshot: () => snapshot,
      moved: (fact, step) => {
        const before = snapshot
        snapshot = step.snapshot
        if (before.value !== snapshot.value) since = now()
        if (!isWatched) return
        watchers.publish({
          at: iso(now()),
          stream,
          machine: machine.id,
          ...about,
          fact: fact.type,
          before: stateOf(before),
          after: stateOf(snapshot),
          command: step.command?.type ?? null,
          refused: step.refused
        })
      },
      about: (more) => {
        about = { ...about, ...more }
      },
      leave: () => {
        // The same stream may have been taken up anew.
        if (live.get(stream) === entry) live.delete(stream)
      }
    }
  }

  return {
    enter,
    source: (views) => void sources.push(views),
    actors: () => [
      ...[...live.values()].map(({ view }) => view()),
      ...sources.flatMap((views) => [...views()])
    ],
    isWatched: () => isWatched,
    publish: (frame) => {
      show(frame.stream)
      watchers.publish(frame)
    },
    relay: watchers.publish,
    watch: watchers.watch,
    hasShown: (stream) => shown.has(stream),
    close: watchers.close
  }
}
