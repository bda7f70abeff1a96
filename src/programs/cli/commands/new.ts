/** `hooktape new`: a hook to begin with, and a call to try it on. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { didYouMean } from "../../../hooks/Problem.ts"
import { reservedNames } from "../../../tools/build/shipped.ts"
import { type Template, templates, writeTemplate } from "../../../tools/templates/templates.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { asCalled } from "../render/asCalled.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineCommand } from "../syntax/Command.ts"
import { optionalArgument, text } from "../syntax/parameters.ts"
import { json as jsonOption, project } from "../syntax/shared.ts"

export interface NewOptions {
  readonly template: string | undefined
  readonly name: string | undefined
  readonly project: string | undefined
  readonly json: boolean
}

const list = Effect.fn("cli.new.list")(function* (known: readonly Template[], json: boolean) {
  const { out, style, width } = yield* Screen
  if (json)
    return yield* out(
      `${JSON.stringify(
        known.map(({ about, name }) => ({ name, about })),
        null,
        2
      )}\n`
    )
  const rows = known.map(({ about, name }) => [style.strong(name), about])
  yield* out(table([{ title: "template" }, { title: "does" }], rows, { style, width }))
})

const usesNode = (source: string): boolean => /from "node:|\bprocess\./.test(source)

const make = Effect.fn("cli.new")(function* ({ json, name, project, template }: NewOptions) {
  const { out, style } = yield* Screen
  const known = templates()
  if (template === undefined) return yield* list(known, json)
  const found = known.find((one) => one.name === template)
  if (found === undefined)
    return yield* new CliError({
      what: "new",
      reason: `there is no template "${template}"`,
      remedy: `${didYouMean(
        template,
        known.map((one) => one.name)
      )} "hooktape new" lists them.`.trim()
    })
  const as = name ?? template
  if (!/^[a-z0-9][a-z0-9-]*$/.test(as))
    return yield* new CliError({
      what: "new",
      reason: `"${as}" is no name for a hook`,
      remedy: "Use small letters, digits and hyphens."
    })
  if (reservedNames.includes(as))
    return yield* new CliError({
      what: "new",
      reason: `"${as}" is the name of a hook that comes with hooktape: another of that name would never run`,
      remedy: "Give it another name."
    })
  const places = findPlaces(project)
  const files = yield* writeTemplate(found, { project: places.project, as })
  const hasTypes = existsSync(join(places.project, ".hooktape", "types"))
  if (json) return yield* out(`${JSON.stringify({ name: as, files }, null, 2)}\n`)
  yield* out(
    [
      `${style.good("✔")} ${as}: ${found.about}\n`,
      ...files.map((file) => `  ${style.faint("made    ")}${file}\n`),
      asCalled(
        `Next: read it, and make it yours; ${style.strong("hooktape test --update")} keeps its answer to the call, ${style.strong("hooktape trust")} lets it run.\n`
      ),
      hasTypes ? "" : asCalled(`${style.strong("hooktape init")} gives your editor the types.\n`),
      usesNode(found.hook)
        ? `It uses Node's own modules: ${style.strong("npm i -D @types/node")}, and ${style.strong('"types": ["node"]')} in .hooktape/tsconfig.json, give your editor those.\n`
        : ""
    ].join("")
  )
})

export const command = defineCommand({
  group: "Try out",
  summary: "Make a hook from a template, with a call to try it on; without one, list them.",
  arguments: { template: optionalArgument("template", "Which; without it they are listed.") },
  options: {
    name: text("NAME", "What the hook is called. Default: as the template.", { sample: "no-publish" }),
    json: jsonOption("`{name, files}`, or `[{name, about}]` without a template"),
    project
  },
  examples: ["hooktape new", "hooktape new protect-paths"],
  guards: "keeps",
  run: make
})
