/** Databases that nobody misses: those of tests, and those of a server that the line itself started. */

import { type Call, textsOf } from "../Call.ts"
import { ownHost } from "../ownMachine.ts"
import { unknown } from "../script.ts"
import { valuesOf } from "../shellState.ts"
import { testName } from "./sql.ts"

/** However short: the beginning of an option's name stands for it. */
const isSettings = /^--se[tings]*$/

/** Of several settings the last one counts. */
const isOfTestSettings = (texts: readonly string[]): boolean => {
  const given = texts.flatMap((text, at) =>
    isSettings.test(texts[at - 1] ?? "") ? [text] : (/^--se[tings]*=(.*)/s.exec(text)?.[1] ?? [])
  )
  return /^[\w.]+\.tests?(?:ing)?$/.test(given.at(-1) ?? "")
}

/** What a restore reads lies in a file: of its words only these name the database. */
const restored = (texts: readonly string[]): readonly string[] =>
  texts.filter(
    (text, at) =>
      /^(?:--(?:dbname|db|uri)=|-d.)/.test(text) || /^(?:-d|--(?:dbname|db|uri))$/.test(texts[at - 1] ?? "")
  )

const namingIn = ({ args, name }: Call): readonly string[] =>
  /^(?:pg_restore|mongorestore)$/.test(name) ? restored(textsOf(args)) : textsOf(args)

/** `file:./test.db`, `sqlite::memory:`, `postgres://localhost/app_test`. */
const testUrl = new RegExp(
  String.raw`^(?:(?:file|sqlite3?):(?:[^?]*:memory:|(?:\/\/)?\/tmp\/[^?]+|(?:[^?]*\/)?${testName}\.(?:db|sqlite3?))|[a-z\d+]+:\/\/[^/?]*\/${testName})(?:\?|$)`,
  "i"
)

/** The database that a tool is told by the variable which most of them read. */
export const isOfTestUrl = ({ state }: Call): boolean =>
  valuesOf(state, "DATABASE_URL")?.every((value) => testUrl.test(value)) === true

/** A database that says by its name that it is one of tests, or that it lies in memory or in a temporary directory. */
export const isPassing = (call: Call): boolean =>
  isOfTestSettings(textsOf(call.args)) ||
  namingIn(call).some(
    (text) =>
      /^(?:(?:-d|--dbname=|--database=|-D)?(?:[\w-]+[_-])?tests?(?:ing)?(?:[_-]\w+)?|(?:\S*\/)?(?:[\w-]+[_.-])?tests?(?:[_-]\w+)?\.(?:db|sqlite3?)|(?:RAILS|RACK|NODE|APP|MIX|DJANGO)_ENV=test(?:ing)?|:memory:|\/tmp\/\S+|file::memory:\S*)$/.test(
        text
      ) || /^\w+:\/\/[^/]*\/(?:\w+[_-])?test(?:[_-]\w+)?(?:\?|$)/.test(text)
  ) ||
  ["RAILS_ENV", "RACK_ENV", "NODE_ENV", "APP_ENV", "MIX_ENV", "DJANGO_ENV"].some((one) =>
    valuesOf(call.state, one)?.every((value) => value === "test" || value === "testing")
  )

/** What a shell of documents, or of Cassandra, is given without an option. */
const operandHosts: Readonly<Record<string, RegExp>> = {
  mongosh: /^[\w.-]+(?::\d+)?\/[\w-]*$|^[\w.-]+:\d+$/,
  mongo: /^[\w.-]+(?::\d+)?\/[\w-]*$|^[\w.-]+:\d+$/,
  cqlsh: /^[a-z\d-]+(?:\.[\w-]+)+$/i
}

/** The servers that a client is told to ask. */
const hostsIn = (name: string, texts: readonly string[]): readonly (string | undefined)[] => {
  const operand = Object.hasOwn(operandHosts, name) ? operandHosts[name] : undefined
  return texts.flatMap((text, at) => {
    const [, address] = /^(?:-d|--\w+=)?\w+:\/\/(?:[^/@]*@)?([^/]*)/.exec(text) ?? []
    if (address !== undefined || text.startsWith(unknown) || operand?.test(text)) return [address ?? text]
    if (/^(?:-[hHS]|--(?:host|hostname|server|url|uri))$/.test(texts[at - 1] ?? "")) return [text]
    return (
      /^(?:-[hS](?=.)|--(?:host|hostname|server|url|uri)=)(.+)|\b(?:host(?:addr)?|service)=(\S+)/
        .exec(text)
        ?.slice(1) ?? []
    )
  })
}

/** Whom they ask where nobody tells them. */
const hostVariables = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "MYSQL_HOST", "CQLSH_HOST", "SQLCMDSERVER"]

export const nearby = new RegExp(String.raw`^(?:/|(?:\w+://(?:[^/@]*@)?)?${ownHost}(?::\d+)?(?:[/?]|$))`)

/** Of several servers each may be the one that answers. */
export const hostsAsked = (call: Call): readonly string[] =>
  [
    ...hostsIn(call.name, textsOf(call.args)),
    ...hostVariables.flatMap((variable) => valuesOf(call.state, variable) ?? [])
  ].flatMap((host) => host?.split(",") ?? [])

/** It asks the server that runs in the container which it is started in, and that was started with nothing of anybody's. */
export const isOfOwnContainer = (call: Call): boolean =>
  call.state.container?.ownsData === true && hostsAsked(call).every((host) => nearby.test(host))
