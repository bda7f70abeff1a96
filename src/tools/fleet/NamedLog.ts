/** Logs of a fleet that the user's configuration gives names to, and how each is reached. */
import { dirname, isAbsolute, join } from "node:path"
import * as Either from "effect/Either"
import { readConfig } from "../../state/config.ts"
import type { NamedLog } from "../../state/configShape.ts"
import { messageOf } from "../../state/messageOf.ts"
import { readRegular } from "../../state/readRegular.ts"
import { exposure } from "../../state/secretFile.ts"
import { hashOf } from "../../trust/digest.ts"
import {
  holdsPassword,
  isPostgres,
  isUnprotected,
  parseAddress,
  unprotected
} from "../collector/database/address.ts"

/** Why a name cannot be asked, and what to do. */
export interface NotReachable {
  readonly reason: string
  readonly remedy: string
}

const inOrder = (names: readonly string[]): string =>
  names.length === 0 ? "none has a name so far" : `there are ${[...names].sort().join(", ")}`

/** `file`: the user's own configuration; that of a project names no database. */
export const namedLog = (file: string, name: string): Either.Either<NamedLog, NotReachable> => {
  const config = readConfig(file)
  if (Either.isLeft(config)) {
    const [problem] = config.left
    return Either.left({
      reason: `${file}: ${problem?.reason ?? "cannot be read"}`,
      remedy: "Mend it first."
    })
  }
  const { logs = {} } = config.right
  const found = Object.hasOwn(logs, name) ? logs[name] : undefined
  return found === undefined
    ? Either.left({
        reason: `no log is called "${name}": ${inOrder(Object.keys(logs))}`,
        remedy: `"logs" in ${file} gives them names.`
      })
    : Either.right(found)
}

const passwordOf = (
  { passwordEnvironment, passwordFile }: NamedLog,
  folder: string,
  env: NodeJS.ProcessEnv
): string | undefined => {
  if (passwordEnvironment !== undefined) {
    const value = env[passwordEnvironment]
    if (value === undefined || value === "") throw new Error(`${passwordEnvironment} is not set`)
    return value
  }
  if (passwordFile === undefined) return undefined
  const path = isAbsolute(passwordFile) ? passwordFile : join(folder, passwordFile)
  const exposed = exposure(path)
  if (exposed !== undefined) throw new Error(`it ${exposed}`)
  return readRegular(path).toString("utf8").trim()
}

/** The whole URL, for nobody's eyes. A password stands in a file or in the environment, never in the configuration. */
export const urlOf = (
  named: NamedLog,
  file: string,
  env: NodeJS.ProcessEnv
): Either.Either<string, NotReachable> => {
  const url = parseAddress(named.url)
  if (url === undefined || !isPostgres(url))
    return Either.left({
      reason: "its URL does not begin with postgresql://",
      remedy: `Mend "logs" in ${file}.`
    })
  if (holdsPassword(url))
    return Either.left({
      reason: "a URL with a password is refused",
      remedy: 'Put it into a file that only you can read, and name that as "passwordFile".'
    })
  if (isUnprotected(named.url, env)) return Either.left(unprotected)
  try {
    const password = passwordOf(named, dirname(file), env)
    if (password === undefined) return Either.right(named.url)
    // As a text: a URL without a host would come out of a parser with one.
    const begun = named.url.includes("?") ? "&" : "?"
    return Either.right(`${named.url}${begun}password=${encodeURIComponent(password)}`)
  } catch (cause) {
    return Either.left({
      reason: `its password cannot be taken: ${messageOf(cause)}`,
      remedy: `See "logs" in ${file}.`
    })
  }
}

/** Where what was fetched of it lies: of another database under the same name it lies elsewhere. */
export const replicaOf = (state: string, name: string, { url }: NamedLog): string =>
  join(state, "fleet", `${name}-${hashOf(url).slice(0, 8)}`)
