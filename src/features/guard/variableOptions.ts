/** Options that a program takes out of its environment as if they stood among its words. */
import type { Call } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { unknown } from "./script.ts"

/** The variables that a program reads, with what it is given. */
type Variables = (args: readonly Argument[]) => readonly string[]

const always =
  (...names: readonly string[]): Variables =>
  () =>
    names

/** `TF_CLI_ARGS` is for all of its commands, `TF_CLI_ARGS_apply` for one. */
const terraform: Variables = (args) => {
  const verb = args.map(first).find((text) => !text.startsWith("-"))
  return verb === undefined ? [] : ["TF_CLI_ARGS", `TF_CLI_ARGS_${verb}`]
}

const programs: Readonly<Record<string, Variables>> = {
  terraform,
  tofu: terraform,
  terragrunt: terraform,
  tar: always("TAR_OPTIONS"),
  gtar: always("TAR_OPTIONS"),
  fzf: always("FZF_DEFAULT_OPTS"),
  zip: always("ZIPOPT"),
  less: always("LESS")
}

/** Words as a program splits them: quotes keep what is in them together. */
const wordsOf = (text: string): readonly string[] =>
  Array.from(text.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g), ([word]) =>
    word.replaceAll(/"([^"]*)"|'([^']*)'/g, (_, one, other) => one ?? other)
  )

export const withVariables = (call: Call): Call => {
  const variables = Object.hasOwn(programs, call.name) ? programs[call.name] : undefined
  if (variables === undefined) return call
  const added = variables(call.args)
    .flatMap((name) => call.state.variables.get(name) ?? [])
    .filter((text) => text !== "" && !text.includes(unknown))
    .flatMap(wordsOf)
  return added.length === 0
    ? call
    : {
        ...call,
        args: [
          ...call.args,
          ...added.map((text): Argument => ({ values: [text], word: [{ kind: "text", text, quoted: true }] }))
        ]
      }
}
