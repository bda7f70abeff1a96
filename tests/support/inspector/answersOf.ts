/** What the inspector's API answers about a state directory: the read model on its log, with no server between. */
import { join } from "node:path"
import { makeAnswers } from "../../../src/features/inspector/server/answers.ts"
import { makeBringUp } from "../../../src/features/inspector/server/bringUp.ts"
import type { HostNow } from "../../../src/features/inspector/server/World.ts"
import { askTimeline } from "../../../src/features/timeline/catchUp.ts"

export const answersOf = (state: string, host?: HostNow): ReturnType<typeof makeAnswers> => {
  const file = join(state, "log.sqlite")
  return makeAnswers({
    ask: (question) => askTimeline(file, (db) => question({ db, state, now: Date.now(), version: "1" })),
    hasNews: () => true,
    hasSpooled: () => false,
    takeIn: async () => {},
    bringUp: makeBringUp(file),
    actors: async () => undefined,
    host: async () => host,
    agents: async () => []
  })
}
