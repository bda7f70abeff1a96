/** How many processes that run handlers a host has at most: what the user's own configuration says of it when the host starts. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Either from "effect/Either"
import { messageOf } from "../../state/messageOf.ts"
import { userFolder } from "../../state/userFolder.ts"
import { knownIn, starterOf } from "./startersEnvironment.ts"

const usual = 4
const key = "handlerProcesses"

/** Undefined where there is none: most people's says nothing of it, and what reads it takes memory for as long as the host lives. */
const saysSo = (file: string): boolean => {
  try {
    return readFileSync(file, "latin1").includes(key)
  } catch {
    return false
  }
}

export const mostProcesses = async (
  env: NodeJS.ProcessEnv,
  note: (problem: string) => void
): Promise<number> => {
  // The host is no repository's, whoever started it.
  const file = join(userFolder(knownIn("/", env, starterOf(env))), "config.json")
  if (!saysSo(file)) return usual
  try {
    const { readConfig } = await import("../../state/config.ts")
    const { [key]: wanted = usual } = Either.getOrThrowWith(
      readConfig(file),
      ([problem]) => new Error(`${file}: ${problem?.reason}`)
    )
    return wanted
  } catch (error) {
    note(`there are at most ${usual} processes for handlers: ${messageOf(error)}`)
    return usual
  }
}
