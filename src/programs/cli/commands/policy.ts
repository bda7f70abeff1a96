/** `hooktape policy key|sign|show`: hooks and settings of a team, trusted because of who signed them. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { count } from "../../../features/timeline/words.ts"
import { realPath } from "../../../runtime/builds/discover.ts"
import { readConfig } from "../../../state/config.ts"
import { type Config, policyKey } from "../../../state/configShape.ts"
import { writeWhole } from "../../../state/files.ts"
import { messageOf } from "../../../state/messageOf.ts"
import { readSmall } from "../../../state/readSmall.ts"
import { printable } from "../../../state/terminalText.ts"
import { placeOfPolicy } from "../../../tools/build/policies.ts"
import { makePolicy } from "../../../tools/policies/makePolicy.ts"
import { acceptPolicy, readCarried } from "../../../trust/policies/accept.ts"
import {
  makeKeys,
  openPolicy,
  type Policy,
  policyName,
  policyVersion,
  publicOf,
  signPolicy
} from "../../../trust/policies/Policy.ts"
import { CliError } from "../CliError.ts"
import { findPlaces } from "../places.ts"
import { minuteOf } from "../render/minuteOf.ts"
import { table } from "../render/table.ts"
import { Screen } from "../Screen.ts"
import { defineAction, defineGroup } from "../syntax/Command.ts"
import { argument, flag, optionalArgument, required, text } from "../syntax/parameters.ts"
import { json as jsonOption } from "../syntax/shared.ts"

const privateKeyIn = (what: string, file: string) =>
  Effect.gen(function* () {
    const read = readSmall(file)
    const key = read !== undefined && "text" in read ? read.text : undefined
    const open = key === undefined ? undefined : publicOf(key)
    if (key === undefined || open === undefined)
      return yield* new CliError({
        what,
        file,
        reason: key === undefined ? "holds no key" : "is no private key of Ed25519",
        remedy: `"hooktape policy key ${printable(file)}" makes one where nothing is.`
      })
    return { key, open }
  })

const key = Effect.fn("cli.policy.key")(function* ({ file: given }: { readonly file: string }) {
  const { note, out } = yield* Screen
  const file = resolve(given)
  if (existsSync(file)) return yield* out(`${(yield* privateKeyIn("policy key", file)).open}\n`)
  const keys = makeKeys()
  yield* Effect.try({
    try: () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      writeFileSync(file, keys.privateKey, { mode: 0o600, flag: "wx" })
    },
    catch: (cause) =>
      new CliError({ what: "policy key", file, reason: `cannot be written: ${messageOf(cause)}` })
  })
  yield* out(`${keys.publicKey}\n`)
  yield* note(
    `${printable(file)} is the key that signs: whoever has it decides which hooks run for all who name the line above. Keep it as you keep the keys of your releases.\n`
  )
})

export interface SignOptions {
  readonly folder: string
  readonly key: string
  readonly name: string
  readonly release: string
  readonly to: string
  readonly everywhere: boolean
}

const badWord = ({ name, release }: SignOptions): CliError | undefined => {
  if (!policyName.test(name))
    return new CliError({
      what: "policy sign",
      reason: `"${printable(name)}" is no name`,
      remedy: "Small letters, digits and hyphens, at most 40."
    })
  return policyVersion.test(release)
    ? undefined
    : new CliError({
        what: "policy sign",
        reason: `"${printable(release)}" is no version`,
        remedy: 'Such as "1.4.0" or "2026-11-27": letters, digits, dots and hyphens, at most 40.'
      })
}

const sign = Effect.fn("cli.policy.sign")(function* (options: SignOptions) {
  const { everywhere, name, release, to } = options
  const { out, style } = yield* Screen
  const bad = badWord(options)
  if (bad !== undefined) return yield* bad
  const { key, open } = yield* privateKeyIn("policy sign", resolve(options.key))
  const folder = realPath(resolve(options.folder)) ?? resolve(options.folder)
  const made = yield* Clock.currentTimeMillis
  const policy = yield* makePolicy({ folder, name, version: release, made, everywhere })
  const file = resolve(to)
  yield* Effect.try({
    // Everybody may read it: the signature says whose it is.
    try: () => writeWhole(file, signPolicy(policy, key), 0o644),
    catch: (cause) =>
      new CliError({ what: "policy sign", file, reason: `cannot be written: ${messageOf(cause)}` })
  })
  const hooks = policy.hooks.flatMap(({ kept }) => kept.hooks.map(({ hook }) => hook))
  yield* out(
    `${style.good("✔")} ${name} ${release}: ${count(hooks.length, "hook")} signed in ${printable(file)}\n  ${hooks.map(printable).join(", ")}\nWho wants ${everywhere ? "it" : "to trust them"} adds to ~/.config/hooktape/config.json:\n  "policies": [${JSON.stringify({ file, key: open })}]\n`
  )
})

/** A policy as `policy show --json` has it. */
const shown = (file: string, policy: Policy | undefined, reason: string | undefined) => ({
  file,
  name: policy?.name ?? null,
  version: policy?.version ?? null,
  signedAt: policy?.made ?? null,
  everywhere: policy?.everywhere ?? null,
  hooks: (policy?.hooks ?? []).flatMap(({ kept }) =>
    kept.hooks.map(({ hook, on }) => ({ name: hook, on, file: kept.file }))
  ),
  settings: policy?.everywhere === true ? policy.settings : {},
  problem: reason ?? null
})

type Shown = ReturnType<typeof shown>

/** One file, by the key that is given with it. */
const oneFile = (file: string, key: string | undefined) =>
  Effect.gen(function* () {
    if (key === undefined || !policyKey.test(key))
      return yield* new CliError({
        what: "policy show",
        reason: "a policy is whose its key is, and --key names none",
        remedy: 'Add --key "ed25519:…", as whoever signs it publishes it.'
      })
    const carried = readCarried(resolve(file), key)
    const opened = carried.text === null ? Either.left("is not there") : openPolicy(carried.text, key)
    return shown(carried.file, Either.getOrUndefined(opened), Either.isLeft(opened) ? opened.left : undefined)
  })

const configured = Effect.sync((): readonly Shown[] => {
  const { state, userFolder } = findPlaces()
  const config = Either.getOrElse(readConfig(join(userFolder, "config.json")), (): Config => ({}))
  return (config.policies ?? []).map(({ file, key }) => {
    const { carried, policy, reason } = acceptPolicy(state, readCarried(placeOfPolicy(userFolder, file), key))
    return shown(carried.file, policy, reason)
  })
})

const show = Effect.fn("cli.policy.show")(function* (options: {
  readonly file: string | undefined
  readonly key: string | undefined
  readonly json: boolean
}) {
  const { note, out, style, width } = yield* Screen
  const policies =
    options.file === undefined ? yield* configured : [yield* oneFile(options.file, options.key)]
  if (options.json) return yield* out(`${JSON.stringify({ policies }, null, 2)}\n`)
  if (policies.length === 0)
    return yield* note('your configuration names no policy. "hooktape policy sign" makes one.\n')
  for (const { everywhere, file, hooks, name, problem, signedAt, version } of policies) {
    const mark = problem === null ? style.good("✔") : style.bad("✖")
    const said = problem === null ? "" : `  the file ${printable(problem)}\n`
    if (name === null || signedAt === null) {
      yield* out(`${mark} ${printable(file)}\n${said}`)
      continue
    }
    yield* out(
      `${mark} ${name} ${version}, signed ${minuteOf(new Date(signedAt))} UTC, ${everywhere ? "runs in every project" : "trusted where a project has it"}\n  ${printable(file)}\n${said}`
    )
    const rows = hooks.map((hook) => [`  ${hook.name}`, hook.on.join(", "), hook.file].map(printable))
    yield* out(table([{ title: "" }, { title: "" }, { title: "" }], rows, { style, width }))
  }
})

export const command = defineGroup({
  group: "Look after",
  summary: "Hooks and settings of your team: sign them, and see which version counts.",
  heading: "key|sign|show",
  line: "key <file> | sign <folder> | show [file] [options]",
  examples: ["hooktape policy show"],
  subcommands: {
    key: defineAction({
      summary: "Make the key that signs, in a file only you can read, and print what others name it by.",
      arguments: { file: argument("<file>", "Where the private key is, or is to be.") },
      examples: ["hooktape policy key ~/keys/acme.pem"],
      guards: "keeps",
      run: key
    }),
    sign: defineAction({
      summary: "Sign the hooks of a folder's .hooktape, with their settings, into one file.",
      arguments: { folder: argument("<folder>", "The folder that holds .hooktape.") },
      options: {
        key: required(text("FILE", "The private key.", { sample: "~/keys/acme.pem" })),
        name: required(
          text("NAME", "Whose it is, said wherever one of its hooks decides.", { sample: "acme" })
        ),
        release: required(text("VERSION", "Its version, said beside the name.", { sample: "1.4.0" })),
        to: required(
          text("FILE", "The policy. Any way of distributing it will do.", { sample: "acme.policy.json" })
        ),
        everywhere: flag(
          "Its hooks run in every project of whoever names it, and its settings hold over theirs. Default: they are trusted where a project has them."
        )
      },
      examples: [
        "hooktape policy sign . --key ~/keys/acme.pem --name acme --release 1.4.0 --to acme.policy.json --everywhere"
      ],
      guards: "weakens",
      run: sign
    }),
    show: defineAction({
      summary: "Which version of each policy in your configuration counts; or what is in a file.",
      arguments: {
        file: optionalArgument("<file>", "A policy. Default: those that your configuration names.")
      },
      options: {
        key: text("KEY", "Whose signature the file has to have.", { sample: "ed25519:…" }),
        json: jsonOption(
          "`{policies: [{file, name, version, signedAt, everywhere, hooks: [{name, on, file}], settings, problem}]}`; `problem` is null, or why what the file holds does not count"
        )
      },
      examples: ["hooktape policy show --json"],
      guards: "keeps",
      run: show
    })
  }
})
