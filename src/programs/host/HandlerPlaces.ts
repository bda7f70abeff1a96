/** Where handlers run: processes for hooks of users, a thread for what is our own and takes its time. */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { HostActors } from "./HostActors.ts"
import { HostFacts } from "./HostFacts.ts"
import { HostPlace } from "./HostPlace.ts"
import { makeProcessLives } from "./handlerProcess.ts"
import { mostProcesses } from "./mostProcesses.ts"
import { makeThread } from "./thread.ts"
import { startWorker } from "./worker.ts"
import { makeWorkers } from "./workers.ts"

const workerMemoryMb = 256

/** Processes end first, then what is known of their ends is kept, then the thread ends. */
export class HandlerPlaces extends Effect.Service<HandlerPlaces>()("hooktape/HandlerPlaces", {
  scoped: Effect.gen(function* () {
    const { home, note, state } = yield* HostPlace
    const { factStore, id, sources } = yield* HostFacts
    const { registry } = yield* HostActors
    const memoryMb = workerMemoryMb
    const most = yield* Effect.promise(() => mostProcesses(process.env, note))
    const thread = yield* Effect.acquireRelease(
      Effect.sync(() => makeThread({ program: join(home, "thread.cjs"), state, note })),
      ({ close }) => Effect.sync(close)
    )
    const lives = yield* Effect.acquireRelease(
      Effect.sync(() => makeProcessLives({ host: id, memoryMb, registry, factStore, sources })),
      ({ flush }) => Effect.promise(flush)
    )
    const program = join(home, "worker.cjs")
    const workers = yield* Effect.acquireRelease(
      Effect.sync(() =>
        makeWorkers({
          most,
          start: () => startWorker({ program, state, memoryMb, note, life: lives.begin() })
        })
      ),
      ({ close }) => Effect.sync(close)
    )
    return { workers, thread }
  })
}) {}
