/** Servers of one's own machine that a command is told to ask, in place of those that others use. */
import { type Call, textsOf } from "../Call.ts"
import type { Argument } from "../expand.ts"
import { ownHost, saysShared } from "../ownMachine.ts"
import type { RuleId } from "../rule.ts"
import { unknown } from "../script.ts"
import { type ShellState, valuesOf } from "../shellState.ts"
import { isOwnByVariables } from "./ownServerVariables.ts"

/** What these rules ask about lies on a server that others use, unless another one is named. */
const ofServers: ReadonlySet<RuleId> = new Set(["cloud", "cloud-storage", "services", "clusters"])

const server =
  /^--?(?:endpoint(?:s|-url)?|host|hostname|server|address|agent-address|http-addr|bootstrap-servers?|brokers?|broker-list|kube-apiserver|admin-url|api-url|url|uri|base-uri|discovery-srv)(?:=(.*))?$/s
const context = /^--(?:kube-)?(?:context|cluster)(?:=(.*))?$/s
/** What speaks to clouds knows one such option, if any: whatever else is called so is a thing of the cloud's. */
const cloudServers: Readonly<Record<string, RegExp>> = {
  aws: /^--endpoint-url(?:=(.*))?$/s,
  awslocal: /^--endpoint-url(?:=(.*))?$/s,
  s5cmd: /^--endpoint-url(?:=(.*))?$/s,
  s3cmd: /^--host(?:=(.*))?$/s
}
const none = /^(?!)()/

/** What a short option means is each program's own. */
const shortServer: Readonly<Record<string, RegExp>> = {
  kubectl: /^-s=?(.+)?$/s,
  oc: /^-s=?(.+)?$/s,
  k: /^-s=?(.+)?$/s,
  nats: /^-s=?(.+)?$/s,
  rabbitmqadmin: /^-H=?(.+)?$/s,
  kcat: /^-b=?(.+)?$/s
}

/** LocalStack has a name of its own that leads to this machine, and is called so beside other containers. */
const ownAddress = new RegExp(
  String.raw`^(?:[a-z\d+]+://)?(?:${ownHost}|(?:[\w-]+\.)*localhost\.localstack\.cloud|localstack)(?::\d+)?(?:/\S*)?$`,
  "i"
)
/** Clusters that the tools that make them on one's own machine name so. */
const ownContext =
  /^(?:minikube|docker-desktop|docker-for-desktop|rancher-desktop|orbstack|colima|microk8s|(?:kind|k3d)-[\w-]+)$/

const isOwnAddress = (given: string): boolean => given.split(",").every((address) => ownAddress.test(address))

const isOwnContext = (given: string): boolean => ownContext.test(given) && !saysShared.test(given)

/** Where its loop goes on behind them, nobody knows the rest. */
const maxValues = 15

/** A variable that nobody set here may be anything, whatever stands for it where it is not set. */
const isKnown = ({ values, word }: Argument, state: ShellState): boolean =>
  values.length <= maxValues &&
  !values.some((value) => value.includes(unknown)) &&
  word.every((part) => part.kind !== "variable" || valuesOf(state, part.name) !== undefined)

/** Whether each that is named is one of this machine; undefined where none is named. */
const namedOnes = ({ args, name, state }: Call, isOfCloud: boolean): boolean | undefined => {
  const long = isOfCloud ? (Object.hasOwn(cloudServers, name) ? cloudServers[name] : none) : server
  const short = Object.hasOwn(shortServer, name) ? shortServer[name] : undefined
  let isOwn: boolean | undefined
  for (const [at, arg] of args.entries()) {
    const [text = ""] = arg.values
    if (text === "--") break
    if (!text.startsWith("-")) continue
    const inServer = long?.exec(text) ?? short?.exec(text)
    const inContext = inServer || isOfCloud ? undefined : context.exec(text)
    const option = inServer ?? inContext
    if (!option) continue
    const isBeside = option[1] !== undefined
    const given = isBeside ? arg : args[at + 1]
    if (given === undefined || !isKnown(given, state)) return false
    const fits = inServer ? isOwnAddress : isOwnContext
    // What stands before its value is the same each time.
    const from = isBeside ? text.length - (option[1] as string).length : 0
    isOwn = (isOwn ?? true) && given.values.every((value) => fits(value.slice(from)))
  }
  return isOwn
}

/** It asks a cluster through the server that it is told, or reads what it is told of contexts. */
const asksFurther = ({ args, name, state }: Call): boolean => {
  const texts = textsOf(args)
  if (/^(?:consul|nomad)$/.test(name))
    return texts.some((text) => /^--?(?:datacenter|region|partition)(?:=|$)/.test(text))
  const told = texts.flatMap((text, at) => {
    const option = /^--kubeconfig(?:=(.*))?$/s.exec(text)
    return option === null ? [] : [option[1] ?? texts[at + 1] ?? ""]
  })
  return [...told, ...(valuesOf(state, "KUBECONFIG") ?? [])].some((file) => saysShared.test(file))
}

const startsElsewhere = new Set("nsenter ip chroot systemd-run machinectl".split(" "))

/** On another machine, behind a tunnel, and in a container that was there before, that name is theirs. */
const isElsewhere = ({ state, words = [] }: Call): boolean =>
  (state.remote && (state.container?.isNew !== true || state.container.isApart === true)) ||
  state.led.has("machine") ||
  words.some(([part]) => part?.kind === "text" && startsElsewhere.has(part.text))

const asks = (call: Call, isOfCloud: boolean): boolean => {
  if (isElsewhere(call) || call.state.led.has("contexts") || asksFurther(call)) return false
  return namedOnes(call, isOfCloud) ?? isOwnByVariables(call, isOwnAddress)
}

/** Of what stores things. */
export const asksOwnServer = (call: Call): boolean => asks(call, true)

/** Whether what a rule says of it is said of a server of one's own. */
export const isOnOwnServer = (rule: RuleId, call: Call): boolean =>
  ofServers.has(rule) && asks(call, rule.startsWith("cloud"))
