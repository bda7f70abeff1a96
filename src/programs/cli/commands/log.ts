/** `hooktape log`: what happened, a line for each call, or for each fact. */
import * as Effect from "effect/Effect"
import { CliError } from "../CliError.ts"
import { logCalls } from "./logCalls.ts"
import { logFacts } from "./logFacts.ts"

export interface LogOptions {
  readonly session: string | undefined
  readonly invocation: string | undefined
  readonly type: string | undefined
  readonly event: string | undefined
  readonly agent: string | undefined
  readonly project: string | undefined
  readonly since: string | undefined
  readonly hook: string | undefined
  readonly grep: string | undefined
  readonly limit: number | undefined
  readonly failed: boolean
  readonly blocked: boolean
  readonly all: boolean
  readonly calls: boolean
  readonly facts: boolean
  readonly follow: boolean
  readonly json: boolean
}

/** A type is one of facts, and of one invocation its facts are looked for. */
const wantsFacts = ({ calls, facts, invocation, json, type }: LogOptions): boolean =>
  !calls && (facts || json || type !== undefined || invocation !== undefined)

/** The first option given that only makes sense for the other kind of line. */
const strayOption = (options: LogOptions): string | undefined => {
  const { all, blocked, failed, grep, hook, type } = options
  const given = wantsFacts(options)
    ? {
        "--failed": failed,
        "--blocked": blocked,
        "--all": all,
        "--hook": hook !== undefined,
        "--grep": grep !== undefined
      }
    : { "--type": type !== undefined }
  return Object.entries(given).find(([, isGiven]) => isGiven)?.[0]
}

export const log = (options: LogOptions) =>
  Effect.suspend(() => {
    const facts = wantsFacts(options)
    if (options.calls && options.facts)
      return new CliError({
        what: "usage",
        reason: "--calls and --facts are two kinds of lines",
        remedy: "Leave out one of them."
      })
    const stray = strayOption(options)
    if (stray !== undefined)
      return new CliError({
        what: "usage",
        reason: `${stray} is about ${facts ? "calls, and facts were asked for" : "facts, and calls were asked for"}`,
        remedy: facts ? 'Say "--calls", or leave it out.' : 'Say "--facts" in place of "--calls".'
      })
    return facts ? logFacts(options) : logCalls(options)
  })
