/** `hooktape collect serve`: takes what installations ship. */
import * as Effect from "effect/Effect"
import { readRegular } from "../../../state/readRegular.ts"
import { printable } from "../../../state/terminalText.ts"
import { tokenProblem } from "../../../tools/shipping/givenFiles.ts"
import { isLoopback } from "../../../tools/shipping/loopback.ts"
import { Screen } from "../Screen.ts"
import { defineAction } from "../syntax/Command.ts"
import { integer, text } from "../syntax/parameters.ts"
import { type DatabaseOptions, database, loaded, told, urlFrom, usage } from "./database.ts"

interface ServeOptions extends DatabaseOptions {
  readonly host: string | undefined
  readonly port: number | undefined
  readonly atOnce: number | undefined
  readonly metricsTokenFile: string | undefined
}

const tokenOf = Effect.fn("cli.collect.metricsToken")(function* (file: string) {
  const problem = tokenProblem(file)
  const token = problem === undefined ? readRegular(file).toString("utf8").trim() : ""
  if (token.length >= 16 && token.length <= 200) return token
  return yield* usage(
    `the file with the token for Prometheus ${problem ?? "holds none of 16 to 200 characters"}`,
    "Put such a token into it, in one line."
  )
})

const listen = ({
  atOnce = 8,
  host = "127.0.0.1",
  metricsTokenFile,
  port = 4318,
  ...database
}: ServeOptions) =>
  Effect.gen(function* () {
    const { note, out, style } = yield* Screen
    if (port < 0 || port > 65_535) return yield* usage(`${port} is no port`, "Ports go from 1 to 65535.")
    if (atOnce < 1 || atOnce > 100)
      return yield* usage(`${atOnce} batches at once cannot be`, "Between 1 and 100 can.")
    const metricsToken = metricsTokenFile === undefined ? undefined : yield* tokenOf(metricsTokenFile)
    const { serveBatches } = yield* loaded
    const url = yield* urlFrom(database)
    if (!isLoopback(host))
      yield* note(
        `${style.warn("!")} whoever is on the way reads along: HTTP is spoken at ${printable(host)}. Put a proxy that speaks TLS in front; machines ship to https only.\n`
      )
    const line = (text: string) => note(`${new Date().toISOString()} ${text}\n`)
    return yield* serveBatches(
      url,
      { host, port, atOnce, waiting: atOnce * 8, note: line, metricsToken },
      (at) => out(`http://${host.includes(":") ? `[${host}]` : host}:${at}/v1/facts\n`)
    )
  }).pipe(told("collect serve"))

export const serve = defineAction({
  summary: "Take what installations ship, over HTTP, until it is interrupted.",
  options: {
    ...database,
    host: text("ADDRESS", "Where to listen. Default: 127.0.0.1, for a proxy that speaks TLS.", {
      sample: "10.0.0.5"
    }),
    port: integer("N", "At which port. Default: 4318; 0: any that is free.", { sample: "8080" }),
    atOnce: integer("N", "Batches at work at once, each with a connection. Default: 8.", {
      sample: "16"
    }),
    metricsTokenFile: text("FILE", "Answer GET /metrics to a Prometheus that has the token in this file.", {
      sample: "token"
    })
  },
  examples: ["hooktape collect serve"],
  guards: "keeps",
  run: listen
})
