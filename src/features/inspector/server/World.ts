/** What the server asks of whoever starts it: the log, who is at work, and what was set up. */
import type { ActorView } from "../../../runtime/actors/ActorView.ts"
import type { Acts } from "../acts/Acts.ts"
import type { Source } from "../read/Source.ts"

export interface HostNow {
  readonly pid: number
  /** Milliseconds since 1970. */
  readonly since: number
}

export interface World {
  /** Asks the log, with all that was taken in. */
  readonly ask: <A>(question: (source: Source) => A) => A
  /** True once for all that came onto the log since it was last asked, which is many times a second: it reads no table. */
  readonly hasNews: () => boolean
  /** Whether something lies in the spool. */
  readonly hasSpooled: () => boolean
  /** Takes in what was spooled meanwhile. */
  readonly takeIn: () => Promise<void>
  /** Brings the tables that such a question needs up to the end of the log; throws where there are none yet and another writes. */
  readonly bringUp: (tables: "chains" | "metrics") => Promise<void>
  /** Those of the host; undefined where none runs. */
  readonly actors: () => Promise<readonly ActorView[] | undefined>
  readonly host: () => Promise<HostNow | undefined>
  /** That hooks are registered for. */
  readonly agents: () => Promise<readonly string[]>
  /** What can be done; undefined where whoever serves only looks. */
  readonly acts?: Acts
}
