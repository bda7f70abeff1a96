/** Stacks of containers that are there for tests: what these put into their volumes they put there again. */
import { type Call, textsOf } from "../Call.ts"
import { engineVariables } from "../container.ts"
import type { Argument } from "../expand.ts"
import { saysShared } from "../ownMachine.ts"
import { unknown } from "../script.ts"
import { valuesOf } from "../shellState.ts"

const tests = /(?:^|[-_./])(?:tests?|testing|e2e|ci|integration)(?:[-_./]|$)/

const isOfTests = (value: string): boolean =>
  tests.test(value) && !saysShared.test(value) && !value.includes("..") && !value.includes(unknown)

/** Options of `docker compose` that say which stack is meant, with the value beside them or as the next word. */
const says = /^(?:--(?:file|project-name|project-directory|env-file)(?:=(.*))?|-[fp]=?(.+)?)$/s
/** The engine is told to be another's. */
const another = /^(?:-[Hc]|--(?:host|context|connection|url)(?:=|$))/
const stackVariables = ["COMPOSE_FILE", "COMPOSE_PROJECT_NAME", "COMPOSE_ENV_FILES"]

const isHere = (value: string): boolean => value === "." || value === "./"

/** Each file and each name that is given says it, and at least one is given. */
const saysTests = (args: readonly Argument[]): boolean => {
  let isSaid = false
  for (const [at, { values }] of args.entries()) {
    for (const text of values) {
      const said = says.exec(text)
      if (another.test(text)) return false
      if (said === null) continue
      const beside = said[1] ?? said[2]
      const given = beside === undefined ? (args[at + 1]?.values ?? []) : [beside]
      const isFolder = text.startsWith("--project-directory")
      if (given.length === 0 || !given.every((one) => isOfTests(one) || (isFolder && isHere(one))))
        return false
      isSaid ||= /^(?:-[fp]|--file|--project-name)/.test(text)
    }
  }
  return isSaid
}

/** What is told besides options and their values. */
const operandsOf = (texts: readonly string[]): string =>
  texts
    .filter((text, at) => {
      const before = says.exec(texts[at - 1] ?? "")
      const isValue = before !== null && (before[1] ?? before[2]) === undefined
      return !text.startsWith("-") && !isValue && texts[at - 1] !== "--profile"
    })
    .join(" ")

const isSet = (variable: string, { state }: Call, fits: (value: string) => boolean): boolean =>
  valuesOf(state, variable)?.some((value) => value !== "" && fits(value)) === true

/** `docker compose -f docker-compose.test.yml down -v`. */
export const takesTestStack = (call: Call): boolean => {
  const { args, name, state } = call
  if (!/^(?:docker|podman|nerdctl)(?:-compose)?$/.test(name) || state.led.has("engine")) return false
  const verbs = name.endsWith("-compose") ? /^down(?: |$)/ : /^compose down(?: |$)/
  return (
    verbs.test(operandsOf(textsOf(args))) &&
    saysTests(args) &&
    !engineVariables.some((one) => isSet(one, call, () => true)) &&
    !stackVariables.some((one) => isSet(one, call, (value) => !value.split(/[:,;]/).every(isOfTests)))
  )
}
