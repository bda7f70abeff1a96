/** Files on the disk that a database's client is told to run: rules note them, and whoever judges the command looks into them. */
import { type Call, textsOf } from "../Call.ts"
import { argumentsOf, expand, first } from "../expand.ts"
import { absolute } from "../paths.ts"
import type { Language } from "../rule.ts"
import { passOver, type Redirect, unknown } from "../script.ts"
import type { ShellState } from "../shellState.ts"
import { unwrap } from "../unwrap.ts"

/** Options whose value is a file of what the client is told. */
export const toldFile = /^(?:-f|-i|--file|--init|-init|--source|--queries-file)$/
const attached = /^(?:-f(?=[\w./~])|--(?:file|init|source|queries-file)=)(.+)/s

/** A line that has the client read another file: psql, mysql, sqlite3, sqlcmd, a shell of documents. */
const included =
  /(?:^|[;\n"'])\s*(?:\\ir?|\\include(?:_relative)?|\\\.|source|\.read|:r)\s+["']?([^\s"';]{1,300})|\bload\(["']([^"']{1,300})["']\)/g

/** What hands on what it reads, or some of it. */
const handers = /^(?:cat|tac|pv|head|tail|sed|envsubst|grep|tee|iconv|tr)$/

/** More files than these nobody gives to one client. */
const maxFiles = 100

const redirected = (redirects: readonly Redirect[], state: ShellState): readonly string[] =>
  redirects.flatMap(({ operator, target }) => (operator === "<" ? expand(target, state).slice(0, 1) : []))

/** What is piped into a command in a container, or on another machine, comes from here. */
const outside = (state: ShellState): ShellState =>
  state.remote ? { ...state, cwd: state.place.cwd, remote: false } : state

const piped = ({ state, upstream }: Call): readonly string[] =>
  upstream.flatMap(({ redirects, words }) => {
    const { args = [], name = "" } =
      words.length === 0 ? {} : (unwrap(argumentsOf(words, state), state.budget) ?? {})
    const operands = handers.test(name) ? args.map(first).filter((text) => !text.startsWith("-")) : []
    return [...operands, ...redirected(redirects, state)]
  })

/** The files that a client is told to read by what it is told. */
export const filesIncluded = (text: string): readonly string[] =>
  [...text.matchAll(included)].map(([, one, other]) => one ?? other ?? "")

const named = (call: Call, language: Language, told: readonly string[]): readonly string[] => {
  const texts = textsOf(call.args)
  return [
    ...texts.flatMap((text, at) =>
      toldFile.test(texts[at - 1] ?? "") ? [text] : (attached.exec(text)?.[1] ?? [])
    ),
    ...(language === "documents" ? texts.filter((text) => /^[^-].*\.(?:js|mongodb)$/.test(text)) : []),
    ...told.flatMap(filesIncluded),
    ...redirected(call.redirects, call.state)
  ]
}

const asked = (files: readonly string[], language: Language, state: ShellState): string | undefined => {
  const { files: looked } = state.place
  if (looked === undefined || state.remote) return undefined
  for (const file of files) {
    const path = file === "" || file === "-" || file.includes(unknown) ? undefined : absolute(file, state)
    // What this line wrote itself is known, or only the run will tell.
    if (path === undefined || path.startsWith("/dev/") || state.written.has(path)) continue
    const does = looked.seen.get(path)
    if (does === undefined && looked.wanted.size < maxFiles) looked.wanted.set(path, language)
    else if (does === undefined && !looked.wanted.has(path)) passOver(state.budget)
    if (does !== undefined && does !== "") return does
  }
  return undefined
}

/** What the first of these files that throws data away does, as far as anybody looked. `told`: what the client is told besides. */
export const filesDo = (call: Call, language: Language, told: readonly string[]): string | undefined =>
  call.state.place.files === undefined
    ? undefined
    : (asked(named(call, language, told), language, call.state) ??
      asked(piped(call), language, outside(call.state)))
