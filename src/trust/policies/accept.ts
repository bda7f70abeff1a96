/** Which version of a policy counts: the newest that its key signed, whatever becomes of the file afterwards. */
import { join } from "node:path"
import * as Either from "effect/Either"
import { writeWhole } from "../../state/files.ts"
import { readRegular } from "../../state/readRegular.ts"
import { hashOf } from "../digest.ts"
import { openPolicy, type Policy } from "./Policy.ts"

/** One entry of the user's configuration, and what its file holds now. */
export interface Carried {
  readonly file: string
  readonly key: string
  /** Null where it is not there. */
  readonly text: string | null
}

export interface Accepted {
  readonly carried: Carried
  readonly policy?: Policy
  /** Why what the file holds now does not count. */
  readonly reason?: string
}

/** For each entry of its own: one key may sign several policies. */
const acceptedFile = (state: string, { file, key }: Carried): string =>
  join(state, "trusted", "policies", `${hashOf(`${key}\n${file}`).slice(0, 16)}.json`)

const textAt = (file: string): string | undefined => {
  try {
    return readRegular(file).toString("utf8")
  } catch {
    return undefined
  }
}

export const readCarried = (file: string, key: string): Carried => ({ file, key, text: textAt(file) ?? null })

/** Takes what the file holds where it counts: from then on nothing that was signed before follows it. */
export const acceptPolicy = (state: string, carried: Carried): Accepted => {
  const { key, text } = carried
  const file = acceptedFile(state, carried)
  const before = textAt(file)
  const last = before === undefined ? undefined : Either.getOrUndefined(openPolicy(before, key))
  const stands = last === undefined ? {} : { policy: last }
  const found = text === null ? Either.left("is not there") : openPolicy(text, key)
  if (Either.isLeft(found)) return { carried, ...stands, reason: found.left }
  const policy = found.right
  if (last !== undefined && policy.name !== last.name)
    return { carried, ...stands, reason: `is the policy ${policy.name}, where ${last.name} was accepted` }
  if (last !== undefined && policy.made < last.made)
    return {
      carried,
      ...stands,
      reason: `is ${policy.version}, signed before what was accepted last`
    }
  if (text !== null && text !== before) writeWhole(file, text)
  return { carried, policy }
}
