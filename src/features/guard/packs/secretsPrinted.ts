/** Pack `credentials`: keys, credentials and kept secrets that are printed where whoever reads the session reads them too. */
import { type Call, type Rule, shown, textsOf } from "../Call.ts"
import { expand } from "../expand.ts"
import { within } from "../folders.ts"
import { listedBy } from "../listed.ts"
import { absolute, isTemporary } from "../paths.ts"
import type { Verdict } from "../rule.ts"
import { type Part, unknown } from "../script.ts"
import { isSecretPath, isSecretVariable } from "../secretPaths.ts"
import { tellsSecret } from "../secretTellers.ts"
import { valuesOf } from "../shellState.ts"
import { isKeptApart } from "./handsOn.ts"
import { isOnOwnServer } from "./ownServer.ts"

type Prints = (texts: readonly string[]) => boolean

const always: Prints = () => true

/** The first line of a key says what kind it is. */
const moreThanOneLine: Prints = (texts) =>
  !/(?:^| )(?:-1|-n ?1|--lines[= ]1|-c ?[1-9]|-c ?[12]\d)(?: |$)/.test(texts.join(" "))

const privateParts: Prints = (texts) =>
  /^(?:rsa|ec|dsa|pkey|pkcs8|pkcs12)$/.test(texts[0] ?? "") &&
  !texts.some((text) => /^-(?:pubout|out|text_pub)$/.test(text)) &&
  (!texts.includes("-noout") || texts.includes("-text"))

const printers: Readonly<Record<string, Prints>> = {
  ...Object.fromEntries(
    "cat tac tail less more bat batcat strings nl base64 base32 xxd od hexdump fold"
      .split(" ")
      .map((name) => [name, always])
  ),
  head: moreThanOneLine,
  openssl: privateParts
}

const ofSystem =
  /^\/(?:etc\/(?:g?shadow|ssh\/ssh_host_\w+_key|ssl\/private\/.+|letsencrypt\/(?:live|archive)\/.*privkey\d*\.pem|kubernetes\/admin\.conf)|(?:root|(?:home|Users)\/[^/]+)\/\.ssh\/(?!.*\.pub$|known_hosts|config$|authorized_keys)[^/]+)$/
/** Of another machine, or in a container: what is a key wherever it lies. */
const keyAnywhere =
  /(?:^|\/)\.ssh\/id_\w+$|^\/etc\/(?:shadow|ssh\/ssh_host_\w+_key)$|\/letsencrypt\/live\/.*privkey\d*\.pem$/
const environmentFile = /(?:^|\/)\.env(?:\.[\w.-]+)?$|\.env$|\/\.envrc$/
const keyFile = /\.(?:key|ppk|kdbx)$|key[^/]*\.pem$/i

/** A key or credentials that somebody keeps for himself: what lies in a project is of the work that is done there. */
const isOwnSecret = (path: string, { state }: Call): boolean => {
  const { home, project } = state.place
  if (within(path, project) || isTemporary(path, state)) return false
  if (ofSystem.test(path)) return true
  if (!within(path, home) || !isSecretPath(path)) return false
  // Settings of work, and of a package manager, more often than somebody's own secrets.
  if (environmentFile.test(path) || path === `${home}/.npmrc`) return false
  const below = path.slice(home.length + 1)
  return below.startsWith(".") || keyFile.test(path)
}

const valuesRead = ({ args, fed, redirects, state, upstream }: Call): readonly string[] => [
  ...[...args, ...(fed ? listedBy(upstream, state).targets : [])].flatMap(({ values }) => values),
  ...redirects.flatMap(({ operator, target }) => (operator === "<" ? expand(target, state) : []))
]

const pathsRead = (call: Call): readonly string[] =>
  valuesRead(call).flatMap((value) =>
    value.startsWith(unknown) || value.startsWith("-") ? [] : (absolute(value, call.state) ?? [])
  )

const said = (what: string): Verdict => ({ rule: "credentials", reason: `${what}.` })

const printed = ({ name }: Call, path: string): string =>
  `\`${name}\` prints ${shown(path)}, which holds a secret, into this session`

/** Where a kind of secrets lies: keys are one. */
const kindOf = (path: string): string => (/\/\.ssh\//.test(path) ? "keys" : path)

/** Environment files of several projects at once: nobody needs all of them to see to one. */
const isMuch = (paths: readonly string[], { state: { place } }: Call): boolean =>
  new Set(
    paths
      .filter((path) => within(path, place.home) && !within(path, place.project) && isSecretPath(path))
      .map(kindOf)
  ).size > 1

const fromFiles = (call: Call): Verdict | undefined => {
  const prints = Object.hasOwn(printers, call.name) ? printers[call.name] : undefined
  if (prints === undefined || !prints(textsOf(call.args))) return undefined
  if (call.state.remote) {
    const key = valuesRead(call).find((value) => keyAnywhere.test(value))
    return key === undefined ? undefined : said(printed(call, key))
  }
  const paths = pathsRead(call)
  const own = paths.find((path) => isOwnSecret(path, call))
  if (own !== undefined) return said(printed(call, own))
  return isMuch(paths, call) ? said(`\`${call.name}\` prints secrets of several places at once`) : undefined
}

/** All that the cluster keeps, with what is in it: to a file as well. */
const everySecret = / (?:-A|--all-namespaces(?:=true)?) /
/** It unlocks what it is the key of, wherever it is put. */
const secretKey = / --export-secret-/

const isLocal = (call: Call): boolean =>
  isOnOwnServer(/^(?:aws|gcloud|az)$/.test(call.name) ? "cloud" : "services", call)

const fromStores = (call: Call): Verdict | undefined => {
  const texts = textsOf(call.args)
  if (!tellsSecret(call.name, texts)) return undefined
  const all = ` ${texts.join(" ")} `
  const isHidden = call.state.taken || isKeptApart(call.redirects)
  if (/^gpg2?$/.test(call.name))
    return secretKey.test(all) && !call.state.taken ? said("`gpg` brings out a secret key") : undefined
  if (/^(?:kubectl|oc|k)$/.test(call.name) && everySecret.test(all))
    return said(`\`${call.name}\` prints every secret that the cluster keeps`)
  if (isHidden || isLocal(call)) return undefined
  return said(
    `\`${call.name} ${texts
      .filter((text) => !text.startsWith("-"))
      .slice(0, 2)
      .join(" ")}\` prints a secret into this session`
  )
}

/** What somebody looks at to see which server is asked. */
const isAddress = (name: string): boolean => name.endsWith("_URL")

/** Its value, and not a part of it; what the line itself set it to is there to be read anyway. */
const isSecretPart = (part: Part, { state }: Call): boolean =>
  part.kind === "variable" &&
  part.change === undefined &&
  isSecretVariable(part.name) &&
  !isAddress(part.name) &&
  valuesOf(state, part.name) === undefined

/** `printenv GITHUB_TOKEN`, `echo $GITHUB_TOKEN`. */
const fromVariables = (call: Call): Verdict | undefined => {
  const { args, name } = call
  const isPrinted =
    name === "printenv"
      ? textsOf(args).some((text) => isSecretVariable(text) && !isAddress(text))
      : /^(?:echo|printf)$/.test(name) &&
        args.some(({ word }) => word.some((part) => isSecretPart(part, call)))
  return isPrinted ? said(`\`${name}\` prints a variable that holds a secret into this session`) : undefined
}

export const secretsPrinted: Rule = (call) => {
  if (call.state.place.off?.includes("credentials")) return undefined
  const isRead = !call.state.taken && !isKeptApart(call.redirects)
  return (isRead ? (fromFiles(call) ?? fromVariables(call)) : undefined) ?? fromStores(call)
}
