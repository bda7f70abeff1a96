/** `hooktape ship add|status|remove`: where what happens is sent, once its user said so. */
import { resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { day } from "../../../features/timeline/words.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { openState } from "../../../state/state.ts"
import { printable } from "../../../state/terminalText.ts"
import { fileProblem, isStandardStream, tokenProblem } from "../../../tools/shipping/givenFiles.ts"
import {
  collectorName,
  isUrl,
  readSinks,
  type Sink,
  scrapeProblem,
  sinkName,
  sinksFile,
  targetProblem,
  writeSinks
} from "../../../tools/shipping/Sink.ts"
import { keepTrouble, readTrouble } from "../../../tools/shipping/trouble.ts"
import { CliError } from "../CliError.ts"
import { Logbook, withLogbook } from "../logbook.ts"
import { findPlaces } from "../places.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { argument, choiceWithDefault, flag, text } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

/** In whose words. */
const forms = ["cloudevents", "otlp", "prometheus"] as const

const sinksIn = (state: string) =>
  Effect.try({
    try: () => readSinks(state),
    catch: (cause) =>
      new CliError({
        what: "ship",
        file: sinksFile(state),
        reason: messageOf(cause),
        remedy: "Remove it, and add your sinks again."
      })
  })

export interface AddOptions {
  readonly name: string
  readonly to: string
  readonly tokenFile: string | undefined
  readonly as: (typeof forms)[number]
  readonly withPayloads: boolean
}

const isCollector = ({ name }: AddOptions): boolean => name === collectorName

/** What is wrong with the place for what is sent in this form. */
const placeProblem = (options: AddOptions): Pick<CliError, "reason" | "remedy"> | undefined => {
  const { as, name, to } = options
  if (isStandardStream(to))
    return {
      reason: `where "${name}" is to go is a stream of a process, and a host in the background has none to show`,
      remedy: 'Name a file, or an https URL; "hooktape log --json --follow" writes to standard output.'
    }
  if (as !== "cloudevents" && isCollector(options))
    return {
      reason: `"${collectorName}" is the name of a collector of hooktape's`,
      remedy: "Choose any other name."
    }
  if (as === "otlp" && !isUrl(to))
    return {
      reason: `${printable(to)} is a file`,
      remedy: "OpenTelemetry goes to a URL, the one before /v1/traces."
    }
  if (as !== "prometheus") return undefined
  const problem = scrapeProblem(to)
  return problem === undefined
    ? undefined
    : {
        reason: `where Prometheus is to look ${problem}`,
        remedy:
          "Name a port of this machine, http://127.0.0.1:9464, or a file, /var/lib/node_exporter/hooktape.prom."
      }
}

const problemOf = (
  options: AddOptions,
  sinks: readonly Sink[]
): Pick<CliError, "reason" | "remedy"> | undefined => {
  const { name, to, tokenFile, withPayloads } = options
  if (withPayloads && !isCollector(options))
    return {
      reason: `payloads are sent to a collector of hooktape's, and "${printable(name)}" is none`,
      remedy: `Call it "${collectorName}", or leave out "--with-payloads".`
    }
  if (!sinkName.test(name))
    return {
      reason: `"${printable(name)}" is no name`,
      remedy: "Small letters, digits and hyphens, at most 40."
    }
  if (sinks.some((sink) => sink.name === name))
    return {
      reason: `there is a sink "${name}" already`,
      remedy: `"hooktape ship remove ${name}" removes it.`
    }
  if (name === collectorName && (!isUrl(to) || tokenFile === undefined))
    return {
      reason: `"${collectorName}" is the name of a collector, which has a URL and wants a token`,
      remedy: "Give both, or choose another name for a sink of CloudEvents."
    }
  const place = placeProblem(options)
  if (place !== undefined) return place
  const reason = targetProblem(to) ?? (isUrl(to) ? undefined : fileProblem(to))
  // An URL that holds a password is not said again.
  if (reason !== undefined)
    return {
      reason: `where "${name}" is to go ${reason}`,
      remedy: "Name a file, or an https URL; a token goes into --token-file."
    }
  const missing = tokenFile === undefined ? undefined : tokenProblem(tokenFile)
  return missing === undefined
    ? undefined
    : {
        reason: `the file with the token ${missing}`,
        remedy: "Put the token into a file that only you can read, in one line."
      }
}

const whatAlways = "decisions, timings, sizes and digests, no payload"
const whatWithPayloads =
  "payloads with commands, paths and what tools printed, and all that hooks said; secrets that are known as such are taken out"

const kindOf = ({ as, name }: AddOptions): Pick<Sink, "kind"> => {
  if (name === collectorName) return { kind: "collector" }
  return as === "cloudevents" ? {} : { kind: as }
}

const add = (options: AddOptions) =>
  Effect.gen(function* () {
    const { name, to, tokenFile } = options
    const { out, style } = yield* Screen
    const logbook = yield* Logbook
    const state = openState(findPlaces().state)
    const sinks = yield* sinksIn(state)
    const target = isUrl(to) || isStandardStream(to) ? to : resolve(to)
    const problem = problemOf({ ...options, to: target }, sinks)
    if (problem !== undefined) return yield* new CliError({ what: "ship add", ...problem })
    const { last } = yield* logbook.stats
    const token = tokenFile === undefined ? {} : { tokenFile: resolve(tokenFile) }
    keepTrouble(state, name, undefined)
    const decided = yield* Clock.currentTimeMillis
    const payloads = options.withPayloads ? { payloads: { decided } } : {}
    writeSinks(state, [
      ...sinks,
      { name, to: target, ...token, ...kindOf(options), ...payloads, after: last }
    ])
    yield* out(
      options.as === "prometheus"
        ? `${style.good("✔")} Prometheus finds counts and timings from now on at ${printable(target)}, while a host runs.\n`
        : `${style.good("✔")} what happens from now on is sent to ${printable(target)}: ${options.withPayloads ? whatWithPayloads : whatAlways}.\n`
    )
  }).pipe(withLogbook)

/** As people say it. */
const manners: Readonly<Record<string, string>> = { otlp: " as OpenTelemetry", prometheus: " for Prometheus" }
const whereTo = (to: string, as: string, payloads: number | null): string =>
  `${printable(to)}${manners[as] ?? ""}${payloads === null ? "" : `, with payloads (decided ${day(payloads)})`}`

const status = ({ json }: { readonly json: boolean }) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const logbook = yield* Logbook
    const { state } = findPlaces()
    const sinks = yield* sinksIn(state)
    const now = yield* Clock.currentTimeMillis
    const known = yield* Effect.forEach(sinks, (sink) =>
      Effect.map(logbook.unshipped(sink), ({ facts, more }) => ({
        name: sink.name,
        to: sink.to,
        as: sink.kind ?? "cloudevents",
        payloads: sink.payloads?.decided ?? null,
        waiting: facts,
        more,
        trouble: readTrouble(state, sink.name) ?? null
      }))
    )
    if (json) return yield* out(`${JSON.stringify({ sinks: known }, null, 2)}\n`)
    if (known.length === 0)
      return yield* note('nothing is sent anywhere. "hooktape ship add" names where to.\n')
    const rows = known.map(({ as, more, name, payloads, to, trouble, waiting }) => [
      name,
      `${waiting}${more ? "+" : ""}`,
      trouble === null
        ? whereTo(to, as, payloads)
        : `${whereTo(to, as, payloads)} · ${style.warn(printable(trouble.error))}, ${Math.round((now - trouble.at) / 1000)} s ago`
    ])
    yield* out(
      table([{ title: "sink" }, { title: "waiting", align: "right" }, { title: "to" }], rows, {
        style,
        width
      })
    )
  }).pipe(withLogbook)

const remove = Effect.fn("cli.ship.remove")(function* ({ name }: { readonly name: string }) {
  const { out, style } = yield* Screen
  const { state } = findPlaces()
  const sinks = yield* sinksIn(state)
  const others = sinks.filter((sink) => sink.name !== name)
  if (others.length === sinks.length)
    return yield* new CliError({
      what: "ship remove",
      reason: `there is no sink "${printable(name)}"`,
      remedy: '"hooktape ship status" has them.'
    })
  writeSinks(state, others)
  keepTrouble(state, name, undefined)
  yield* out(`${style.good("✔")} nothing is sent to ${name} any more.\n`)
})

const name = argument("<name>", "The sink's name; \"collector\" is a collector of hooktape's.")

export const command = defineGroup({
  group: "Look after",
  summary:
    "Send what happens to a collector, as CloudEvents to a file or a receiver of yours, as OpenTelemetry, or have Prometheus ask.",
  heading: "add|status|remove",
  line: "add <name> <url|file> | status | remove <name> [options]",
  examples: ["hooktape ship add team https://example.com/in --token-file token"],
  subcommands: {
    add: defineAction({
      summary:
        "Send what happens from now on: decisions, timings, sizes and digests; payloads only where you say so.",
      arguments: {
        name,
        to: argument(
          "<url|file>",
          'An https URL that takes batches of CloudEvents, or a file for a line of each. With --as otlp: the URL of a receiver of OpenTelemetry. With --as prometheus: the port of this machine that it asks, or a file of node_exporter. Under the name "collector": the URL that "hooktape collect serve" says.'
        )
      },
      options: {
        as: choiceWithDefault(
          "FORM",
          forms,
          "cloudevents",
          "How it is sent: as CloudEvents, as traces, logs and metrics of OpenTelemetry, or as totals that Prometheus asks for.",
          { example: "hooktape ship add traces http://127.0.0.1:4318 --as otlp" }
        ),
        withPayloads: flag(
          "Send payloads as well, and all that hooks said: commands, paths, what tools printed. To a collector only.",
          {
            example:
              "hooktape ship add collector https://hooks.example.com/v1/facts --token-file token --with-payloads"
          }
        ),
        tokenFile: text("FILE", "A file with the token that the receiver wants; read at each request.", {
          example: "hooktape ship add team https://example.com/in --token-file token"
        })
      },
      examples: ["hooktape ship add audit ~/hooktape.ndjson"],
      guards: "weakens",
      run: add
    }),
    status: defineAction({
      summary: "Where it is sent, how much waits, and what went wrong last.",
      options: {
        json: jsonOption(
          "`{sinks: [{name, to, as: cloudevents|otlp|prometheus|collector, payloads: decided at | null, waiting, more, trouble: {at, error} | null}]}`"
        )
      },
      examples: ["hooktape ship status"],
      guards: "keeps",
      run: status
    }),
    remove: defineAction({
      summary: "Send nothing there any more; what was sent stays there.",
      arguments: { name },
      examples: ["hooktape ship remove audit"],
      guards: "weakens",
      run: remove
    })
  }
})
