/** The environment of work that lay on disk, where only the recorded names may lie: the rest is the host's own. */
import { allowedNames } from "../../runtime/environment.ts"
import type { Environment } from "../../runtime/host/wireProtocol.ts"
import { environmentFor } from "./httpEnvironment.ts"
import type { Starter } from "./startersEnvironment.ts"

/** What Node itself asks the process for. */
const places = ["HOME", "USERPROFILE", "TMPDIR", "TMP", "TEMP"]

/** As a host was started: each question to `process.env` asks the system. */
const ownPlaces = Object.fromEntries(places.map((name) => [name, process.env[name]]))

/** Whether a call's own places are the host's: where they are not, its hooks are asked in a process that has them. */
export const isAtHome = ({ get }: Environment, own: NodeJS.ProcessEnv = ownPlaces): boolean =>
  places.every((name) => (get(name) ?? "") === (own[name] ?? ""))

/** What the session had set or not set is as it was; whoever started the host may have had another. */
export const completed = (
  left: Readonly<Record<string, string>>,
  cwd: string,
  own: NodeJS.ProcessEnv,
  starter?: Starter
): Record<string, string> => ({
  ...Object.fromEntries(
    Object.entries(environmentFor(cwd, own, starter).all()).filter(([name]) => !allowedNames.has(name))
  ),
  ...left
})
