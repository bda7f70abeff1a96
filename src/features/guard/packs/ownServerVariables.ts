/** Whom a command asks where no option says it: what its variables say, as far as it finds them. */
import { type Call, textsOf } from "../Call.ts"
import { first } from "../expand.ts"

interface Asked {
  readonly variables: RegExp
  /** That which is for all that it does. */
  readonly main: RegExp
  /** Where nothing says otherwise it asks this machine. */
  readonly isOwn?: true
}

const amazon = { variables: /^AWS_ENDPOINT_URL(?:_\w+)?$/, main: /^AWS_ENDPOINT_URL$/ }

const one = (main: RegExp): Asked => ({ variables: main, main })

const programs: Readonly<Record<string, Asked>> = {
  aws: amazon,
  awslocal: {
    variables: /^(?:AWS_ENDPOINT_URL(?:_\w+)?|LOCALSTACK_HOST(?:NAME)?)$/,
    main: /^(?:AWS_ENDPOINT_URL|LOCALSTACK_HOST(?:NAME)?)$/,
    isOwn: true
  },
  s5cmd: one(/^S3_ENDPOINT_URL$/),
  vault: one(/^VAULT_(?:AGENT_)?ADDR$/),
  bao: one(/^(?:BAO|VAULT)_(?:AGENT_)?ADDR$/),
  consul: one(/^CONSUL_HTTP_ADDR$/),
  nomad: one(/^NOMAD_ADDR$/),
  etcdctl: one(/^ETCDCTL_ENDPOINTS$/),
  nats: one(/^NATS_URL$/)
}

/** What is started by these finds little of what was set, or nothing. */
const startsAnew = new Set("sudo doas su runuser pkexec".split(" "))

const losesVariables = ({ name, words = [] }: Call): boolean => {
  const texts = words.map(([part]) => (part?.kind === "text" ? part.text : ""))
  const end = texts.indexOf(name)
  return texts
    .slice(0, Math.max(end, 0))
    .some((text) => startsAnew.has(text) || /^(?:-|-\w*[iu].*|--(?:ignore-env\w*|unset)\b.*)$/.test(text))
}

/** `AWS_ENDPOINT_URL_S3` is for that service alone. */
const isMain = (name: string, main: RegExp, call: Call): boolean => {
  if (main.test(name)) return true
  const verb = textsOf(call.args).find((text) => !text.startsWith("-")) ?? ""
  const service = verb
    .replace(/^s3api$/, "s3")
    .replaceAll("-", "_")
    .toUpperCase()
  return name === `AWS_ENDPOINT_URL_${service}`
}

/** Each value that it may find, by the variable: set for it alone, exported by the line, or there before. */
const found = (call: Call, variables: RegExp): ReadonlyMap<string, readonly string[]> => {
  const { set = [], state } = call
  const all = new Map<string, string[]>()
  const add = (name: string, values: readonly string[]): void => {
    if (variables.test(name)) all.set(name, [...(all.get(name) ?? []), ...values])
  }
  const alone = new Set(set.map((given) => first(given).split("=", 1)[0] ?? ""))
  for (const { values } of set)
    for (const text of values) add(text.split("=", 1)[0] ?? "", [text.replace(/^[^=]*=/s, "")])
  // As it is now: what is exported may have been set anew since.
  for (const [name, values] of state.variables)
    if (!alone.has(name) && (state.exported.has(name) || Object.hasOwn(state.place.environment ?? {}, name)))
      add(name, values)
  for (const [name, values] of state.exported) if (!alone.has(name)) add(name, values)
  for (const [name, value = ""] of Object.entries(state.place.environment ?? {}))
    if (!alone.has(name) && !state.variables.has(name)) add(name, [value])
  return all
}

/** They are read, and each says this machine. */
export const isOwnByVariables = (call: Call, isOwnAddress: (given: string) => boolean): boolean => {
  const asked = Object.hasOwn(programs, call.name) ? programs[call.name] : undefined
  if (asked === undefined) return false
  const { isOwn = false, main, variables } = asked
  if (call.state.container !== undefined || losesVariables(call)) return isOwn
  const ignored = call.state.variables.get("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")
  if (call.name === "aws" && ignored?.some((value) => value !== "" && value !== "false")) return false
  const given = [...found(call, variables)].filter(([, values]) => values.some((value) => value !== ""))
  if (!given.every(([, values]) => values.every(isOwnAddress))) return false
  return isOwn || given.some(([name]) => isMain(name, main, call))
}
