/** Servers of one's own machine that a command is told to ask, in place of those that others use. */
import { type Call, textsOf } from "../Call.ts"
import { ownHost } from "../ownMachine.ts"
import type { RuleId } from "../rule.ts"
import { valuesOf } from "../shellState.ts"

/** What these rules ask about lies on a server that others use, unless another one is named. */
const ofServers: ReadonlySet<RuleId> = new Set(["cloud", "cloud-storage", "services", "clusters"])

const server =
  /^--?(?:endpoint(?:s|-url)?|host|hostname|server|address|http-addr|bootstrap-servers?|brokers?|broker-list|kube-apiserver|admin-url|api-url|url|uri)(?:=(.*))?$/s
const context = /^--(?:kube-)?context(?:=(.*))?$/s

/** What a short option means is each program's own. */
const shortServer: Readonly<Record<string, string>> = {
  kubectl: "-s",
  oc: "-s",
  k: "-s",
  nats: "-s",
  rabbitmqadmin: "-H",
  kcat: "-b"
}

/** Whom each asks where no option says it. */
const variables: Readonly<Record<string, RegExp>> = {
  aws: /^AWS_ENDPOINT_URL(?:_\w+)?$/,
  s5cmd: /^S3_ENDPOINT_URL$/,
  vault: /^VAULT_ADDR$/,
  bao: /^(?:BAO|VAULT)_ADDR$/,
  consul: /^CONSUL_HTTP_ADDR$/,
  nomad: /^NOMAD_ADDR$/,
  etcdctl: /^ETCDCTL_ENDPOINTS$/,
  nats: /^NATS_URL$/
}

/** LocalStack has a name of its own that leads to this machine, and is called so beside other containers. */
const ownAddress = new RegExp(
  String.raw`^(?:[a-z\d+]+://)?(?:${ownHost}|(?:[\w-]+\.)*localhost\.localstack\.cloud|localstack)(?::\d+)?(?:/\S*)?$`,
  "i"
)
/** Clusters that the tools that make them on one's own machine name so. */
const ownContext =
  /^(?:minikube|docker-desktop|docker-for-desktop|rancher-desktop|orbstack|colima|microk8s|(?:kind|k3d)-[\w-]+)$/
const others = /(?:^|[-_])(?:prod\w*|live|stag\w*)(?:[-_]|$)/i

/** To these a server or a host is something of the cloud's; an address says how it is spoken to. */
const namesResources = /^(?:az|gcloud|hcloud|doctl|openstack|oci|ibmcloud|linode-cli|scw|exo)$/

const isOwnAddress = (given: string): boolean =>
  given.split(",", 20).every((address) => ownAddress.test(address))

const isOwnContext = (given: string): boolean => ownContext.test(given) && !others.test(given)

/** Whether each that is named is one of this machine; undefined where none is named. */
const namedOnes = (name: string, texts: readonly string[]): boolean | undefined => {
  const end = texts.indexOf("--")
  let isOwn: boolean | undefined
  for (const [at, text] of (end < 0 ? texts : texts.slice(0, end)).entries()) {
    if (!text.startsWith("-")) continue
    const inServer = server.exec(text)
    const inContext = inServer === null ? context.exec(text) : null
    const isShort = text === shortServer[name]
    if (inServer === null && inContext === null && !isShort) continue
    const given = (inServer ?? inContext)?.[1] ?? texts[at + 1] ?? ""
    if (namesResources.test(name) && !given.includes("://")) continue
    isOwn = (isOwn ?? true) && (inContext === null ? isOwnAddress(given) : isOwnContext(given))
  }
  return isOwn
}

const isOwnByVariables = ({ name, state }: Call): boolean => {
  const known = Object.hasOwn(variables, name) ? variables[name] : undefined
  if (known === undefined) return false
  const names = new Set([...state.variables.keys(), ...Object.keys(state.place.environment ?? {})])
  const given = [...names]
    .filter((one) => known.test(one))
    .flatMap((one) => valuesOf(state, one) ?? state.place.environment?.[one] ?? [])
    .filter((value) => value !== "")
  return given.length > 0 && given.every(isOwnAddress)
}

/** On another machine, and in a container that was there before, that name is theirs. */
const isElsewhere = ({ state }: Call): boolean => state.remote && state.container?.isNew !== true

export const asksOwnServer = (call: Call): boolean => {
  if (isElsewhere(call)) return false
  return namedOnes(call.name, textsOf(call.args)) ?? (call.name === "awslocal" || isOwnByVariables(call))
}

/** Whether what a rule says of it is said of a server of one's own. */
export const isOnOwnServer = (rule: RuleId, call: Call): boolean => ofServers.has(rule) && asksOwnServer(call)
