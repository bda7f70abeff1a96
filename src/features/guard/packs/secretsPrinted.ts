/** Pack `credentials`: secrets of several places, or of a whole cluster, that are printed at once: nobody needs all of them to see to one. */
import { type Call, type Rule, textsOf } from "../Call.ts"
import { first } from "../expand.ts"
import { within } from "../folders.ts"
import { absolute } from "../paths.ts"
import type { Verdict } from "../rule.ts"
import { isSecretPath } from "../secretPaths.ts"

const printers = new Set("cat tac head tail less more bat strings nl base64 xxd od hexdump".split(" "))

const clusterClients = new Set(["kubectl", "oc", "k"])

/** Where a kind of secrets lies: keys, the credentials of one cloud, of one client. */
const kindOf = (path: string): string => {
  if (/\/\.ssh\//.test(path)) return "keys"
  return /\/(\.(?:aws|azure|gnupg|kube|docker|config\/[\w-]+))\//.exec(path)?.[1] ?? path
}

/** Private keys, as many as there are. */
const everyKey = /\/\.ssh\/(?:id_)?\*(?:_?\w*)?$/

const isAtHome = (path: string, { state: { place } }: Call): boolean =>
  within(path, place.home) && !within(path, place.project)

const printedPaths = (call: Call): readonly string[] =>
  call.args.slice(0, 30).flatMap((arg) => {
    const path = absolute(first(arg), call.state)
    return path !== undefined && isAtHome(path, call) && isSecretPath(path) ? [path] : []
  })

const said = (what: string): Verdict => ({ rule: "credentials", reason: `${what}.` })

/** All that the cluster keeps, with what is in them. */
const clusterSecrets = ({ args }: Call): boolean => {
  const texts = textsOf(args)
  const all = ` ${texts.join(" ").slice(0, 2000)} `
  return (
    / get (?:\S+ )*?secrets?(?:,\S+)? /.test(all) &&
    / (?:-A|--all-namespaces(?:=true)?) /.test(all) &&
    / (?:-o|--output)[= ]?(?:json|yaml|jsonpath\S*\.data|go-template\S*\.data)/.test(all)
  )
}

export const secretsPrinted: Rule = (call) => {
  const { name, state } = call
  const isOfCluster = clusterClients.has(name)
  if (!isOfCluster && !printers.has(name)) return undefined
  if (state.remote || state.place.off?.includes("credentials")) return undefined
  if (isOfCluster)
    return clusterSecrets(call) ? said(`\`${name}\` prints every secret that the cluster keeps`) : undefined
  const paths = printedPaths(call)
  const isMuch = new Set(paths.map(kindOf)).size > 1 || paths.some((path) => everyKey.test(path))
  return isMuch ? said(`\`${name}\` prints secrets of several places at once`) : undefined
}
