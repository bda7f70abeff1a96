/** `hooktape collect tokens`: what installations prove themselves with. */
import * as Effect from "effect/Effect"
import { printable } from "../../../state/terminalText.ts"
import { CliError } from "../CliError.ts"
import { minuteOf } from "../render/minuteOf.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineAction } from "../syntax/Command.ts"
import { argument, optionalArgument, text } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"
import { type DatabaseOptions, database, loaded, told, urlFrom, usage } from "./database.ts"

interface TokenOptions extends DatabaseOptions {
  readonly act: string
  readonly name: string | undefined
  readonly tenant: string | undefined
  readonly json: boolean
}

const listed = (options: TokenOptions) =>
  Effect.gen(function* () {
    const { note, out, style, width } = yield* Screen
    const { tokens } = yield* loaded
    const all = yield* tokens.list(yield* urlFrom(options))
    if (options.json) return yield* out(`${JSON.stringify({ tokens: all }, null, 2)}\n`)
    if (all.length === 0)
      return yield* note('there are no tokens. "hooktape collect tokens add" makes one.\n')
    const rows = all.map(({ heard, made, name, revoked, tenant }) => [
      printable(name),
      printable(tenant),
      minuteOf(made),
      revoked === null ? "-" : style.warn(minuteOf(revoked)),
      minuteOf(heard)
    ])
    const titles = ["installation", "tenant", "made (UTC)", "revoked", "heard of"].map((title) => ({ title }))
    yield* out(table(titles, rows, { style, width }))
  })

const named = Effect.fn("cli.collect.named")(function* ({ act, name }: TokenOptions) {
  const { tokenName } = yield* Effect.promise(() => import("../../../tools/collector/tokens.ts"))
  if (name === undefined)
    return yield* usage(`"tokens ${act}" wants an installation`, `Write "collect tokens ${act} NAME".`)
  if (!tokenName.test(name))
    return yield* usage(
      `"${printable(name)}" is no name`,
      "Letters, digits, dots, hyphens and underscores, at most 100."
    )
  return name
})

const act = (options: TokenOptions) =>
  Effect.gen(function* () {
    const { note, out, style } = yield* Screen
    const { act, tenant = "default" } = options
    if (act === "list") return yield* listed(options)
    if (act !== "add" && act !== "revoke")
      return yield* usage(`"${printable(act)}" is nothing that tokens can do`, "Write add, list or revoke.")
    const name = yield* named(options)
    const { tokens } = yield* loaded
    const url = yield* urlFrom(options)
    if (act === "add") {
      yield* out(`${yield* tokens.add(url, name, tenant)}\n`)
      return yield* note(
        "it is shown this once: put it into a file on the machine, for --token-file of hooktape ship.\n"
      )
    }
    const many = yield* tokens.revoke(url, name, tenant)
    if (many === 0)
      return yield* new CliError({
        what: "collect tokens revoke",
        reason: `"${name}" has no token that holds in tenant "${printable(tenant)}"`,
        remedy: '"hooktape collect tokens list" has them.'
      })
    yield* out(`${style.good("✔")} ${name} is refused from now on: ${many} of its tokens revoked\n`)
  }).pipe(told("collect tokens"))

export const tokens = defineAction({
  summary: "Make, list or revoke what installations prove themselves with.",
  arguments: {
    act: argument("<add|list|revoke>", "What to do."),
    name: optionalArgument("<name>", "The installation: a name of your choice for one machine.")
  },
  options: {
    ...database,
    tenant: text("NAME", 'Whose facts these are, for who may read them. Default: "default".', {
      example: "hooktape collect tokens add laptop-7 --tenant payments"
    }),
    json: jsonOption("`{tokens: [{name, tenant, made, revoked, heard}]}`")
  },
  examples: ["hooktape collect tokens add laptop-7", "hooktape collect tokens revoke laptop-7"],
  guards: "keeps",
  run: act
})
