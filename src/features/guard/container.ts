/** Commands that are started in a container or a pod: which, where, and which of the host's folders they find there. */
import type { Call } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { normalized } from "./folders.ts"
import { absolute } from "./paths.ts"
import { unknown } from "./script.ts"
import { type Container, type Mount, valuesOf as valuesSet } from "./shellState.ts"

interface Contained extends Container {
  readonly words: readonly Argument[]
  /** The same behind the program that the image is named after, and most likely starts. */
  readonly named: readonly Argument[]
  /** What is set in there: `NAME=value`, or a name alone. */
  readonly set: readonly Argument[]
  /** Files that set something in there. */
  readonly sourced: readonly Argument[]
  readonly folder: string | undefined
  /** It may be named from here on: what a command finds that is started in it later. */
  readonly started?: { readonly key: string; readonly container: Container }
}

export const engines = /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/
const clusters = /^(?:kubectl|oc|k)$/

/** Options that take the next word, by their letter at the end of a word or by their long name. */
const short = /^-[a-zA-Z]*[acefhlmnpuvwHI]$/
const long =
  /^--(?:env|env-file|user|workdir|detach-keys|index|volume|mount|name|net|network|publish|entrypoint|platform|memory|cpus|gpus|hostname|label|add-host|device|tmpfs|shm-size|ulimit|cap-add|cap-drop|security-opt|pull|restart|dns|pid|ipc|userns|volumes-from|link|expose|host|context|config|log-level|file|project-name|profile|project-directory|connection|namespace|container|kubeconfig|cluster|health-(?:cmd|interval|timeout|retries|start-period)|log-driver|log-opt|stop-signal|stop-timeout|network-alias|ip|runtime|sysctl|group-add|cidfile|memory-swap|cpuset-cpus)$/

type Option = readonly [name: string, value: string, whole: Argument]

interface Read {
  readonly options: readonly Option[]
  /** Behind the options. */
  readonly rest: readonly Argument[]
}

const readOptions = (args: readonly Argument[]): Read => {
  const options: Option[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Argument
    const text = first(arg)
    if (!text.startsWith("-") || text === "-") return { options, rest: args.slice(at) }
    if (text === "--") return { options, rest: args.slice(at + 1) }
    const [, name = text, value] = /^(--[\w-]+)=(.*)$/s.exec(text) ?? /^(-[vwe])(.+)$/s.exec(text) ?? []
    if (value !== undefined) options.push([name, value, { ...arg, values: [value] }])
    else if (short.test(text) || long.test(text)) {
      const next = args[++at] ?? nobody
      if (!text.startsWith("--")) options.push([`-${text.at(-1)}`, first(next), next])
      options.push([text, first(next), next])
    } else options.push([text, "", arg])
  }
  return { options, rest: [] }
}

const nobody: Argument = { values: [], word: [] }

const mountOf = (name: string, value: string, { state }: Call): readonly Mount[] => {
  const parts = new Map(
    name === "--mount" ? value.split(",").map((part) => part.split("=", 2) as [string, string]) : []
  )
  const [source, target, mode] =
    name === "--mount"
      ? [
          parts.get("source") ?? parts.get("src"),
          parts.get("target") ?? parts.get("dst") ?? parts.get("destination"),
          parts.has("readonly") || parts.has("ro") ? "ro" : undefined
        ]
      : value.split(":", 3)
  // A name alone is a volume.
  if (source === undefined || target === undefined || !/^[/.~]|\uffff/.test(source)) return []
  const from = source.includes(unknown) ? undefined : absolute(source, state)
  return from === undefined || /(?:^|,)ro\b/.test(mode ?? "") ? [] : [{ at: normalized(target), from }]
}

const isMount = (name: string): boolean => /^(?:-v|--volume|--mount)$/.test(name)

/** Nothing of it is there any more when the container is gone. What a server is started with is only read. */
const isPassingMount = ([name, value]: Option): boolean => {
  if (value.includes(unknown)) return false
  return name === "--mount"
    ? /(?:^|,)(?:type=tmpfs|readonly|ro)(?:,|$)/.test(value) || !/(?:^|,)(?:source|src)=/.test(value)
    : !/^[^:]+:./.test(value) || /:ro\b|:\/docker-entrypoint-initdb\.d\b/.test(value)
}

/** Letters that stand together: where the last of them has a value, it is noted by itself. */
const together = /^-[dit]+[a-zA-Z]$/
const flags = /^(?:-[ditPq]+|--(?:rm|detach|interactive|tty|init|quiet|publish-all))$/
/** What says how it runs: neither where its data lies, nor whom it asks. */
const ofItself =
  /^(?:-[plmuw]|--(?:name|publish|label|memory|cpus|shm-size|tmpfs|ulimit|platform|pull|restart|workdir|user|hostname|health-\w+(?:-\w+)?|log-driver|log-opt|stop-signal|stop-timeout))$/
/** `PGHOST=…`: whom its programs ask. */
const namesAnother = /^\w*(?:HOST(?!_AUTH)|SERVER|SERVICE|URL|URI|DSN|ADDR|ENDPOINT)/i
/** It may ask others then, but its files are its own. */
const ofElsewhere = /^(?:-[eh]|--(?:env|env-file|network|net|link|add-host|dns|gpus|privileged|read-only))$/

const isOwn = (option: Option): boolean => {
  const [name, value] = option
  if (value.includes(unknown)) return false
  if (isMount(name)) return isPassingMount(option)
  if (/^(?:-e|--env)$/.test(name)) return !namesAnother.test(value)
  return flags.test(name) || together.test(name) || ofItself.test(name)
}

/** Whatever is in such a container, but for the folders of the host's, was not there before it. */
const isItsOwnFiles = (option: Option, call: Call): boolean => {
  const [name, value] = option
  return isOwn(option) || ofElsewhere.test(name) || (isMount(name) && mountOf(name, value, call).length > 0)
}

/** One name may be that of several containers: each engine has its own, and each machine. Undefined where only the run tells it. */
export const containerKey = (name: string, { args, name: engine, state }: Call): string | undefined => {
  const told = readOptions(args).options.map(([option, value]) => `${option}=${value}`)
  const set = engineVariables.flatMap((one) => valuesSet(state, one) ?? [])
  const key = [engine, ...told, ...set, name].join(" ")
  return name === "" || key.includes(unknown) ? undefined : key
}

/** `registry/amazon/aws-cli:2@sha256:…` is named after `aws`. */
const programOf = (image: string): Argument => ({
  values: [image.replace(/@.*$/s, "").replace(/^.*\//s, "").replace(/:.*$/s, "").replace(/-cli$/, "")],
  word: []
})

/** The words behind what names the verb, where it starts a command. */
export const verbOf = (args: readonly Argument[]): readonly [verb: string, rest: readonly Argument[]] => {
  const { rest } = readOptions(args)
  const [verb, ...behind] = rest
  const name = verb === undefined ? "" : first(verb)
  return /^(?:compose|container)$/.test(name) ? verbOf(behind) : [name, behind]
}

/** By which an engine is told whose containers are meant. */
export const engineVariables = ["DOCKER_HOST", "DOCKER_CONTEXT", "CONTAINER_HOST"]

/** What its programs call this machine is another one, or another container. */
const isApart = (call: Call, options: readonly Option[]): boolean =>
  call.state.led.has("engine") ||
  options.some(([name, value]) => /^--net(?:work)?$/.test(name) && /^container:/.test(value)) ||
  call.args.some((arg) => /^--net(?:work)?=container:/.test(first(arg))) ||
  readOptions(call.args).options.some(([name]) => /^-(?:[Hc]|-host|-context|-url|-connection)/.test(name)) ||
  engineVariables.some((one) => valuesSet(call.state, one)?.some((value) => value !== ""))

/** The command that this starts in a container; undefined where it does nothing of that kind. */
export const containedIn = (call: Call): Contained | undefined => {
  const isCluster = clusters.test(call.name)
  if (!isCluster && !engines.test(call.name)) return undefined
  const [verb, behind] = verbOf(call.args)
  if (verb !== "exec" && (isCluster || verb !== "run")) return undefined
  const { options, rest } = readOptions(behind)
  const dash = rest.findIndex((arg) => first(arg) === "--")
  const words = dash >= 0 ? rest.slice(dash + 1) : rest.slice(1)
  const valuesOf = (name: RegExp) => options.filter(([one]) => name.test(one)).map(([, , whole]) => whole)
  const entry = options.find(([name]) => name === "--entrypoint")?.[1]
  const mounts = options.flatMap(([name, value]) => (isMount(name) ? mountOf(name, value, call) : []))
  const composed = call.name.endsWith("compose") || call.args.some((arg) => first(arg) === "compose")
  const isNew = verb === "run" && !composed
  const has = (one: string) => options.find(([name]) => name === one)
  const meant = isNew ? (has("--name")?.[1] ?? "") : rest[0] === undefined ? "" : first(rest[0])
  const key = composed || isCluster || has("--help") !== undefined ? undefined : containerKey(meant, call)
  const known = verb === "exec" && key !== undefined ? call.state.containers.get(key) : undefined
  // It may stand for options.
  const isTold = rest[0] !== undefined && !first(rest[0]).includes(unknown)
  const isOwned = isTold && options.every(isOwn)
  return {
    words: entry === undefined ? words : [{ values: [entry], word: [] }, ...words],
    named: isNew && entry === undefined && rest[0] !== undefined ? [programOf(first(rest[0])), ...words] : [],
    set: valuesOf(/^(?:-e|--env)$/),
    sourced: valuesOf(/^--env-file$/),
    folder: options.find(([name]) => /^(?:-w|--workdir)$/.test(name))?.[1],
    mounts: known?.mounts ?? mounts,
    isNew: isNew || known?.isNew === true,
    isApart: isApart(call, options),
    ownsData: known?.ownsData === true && isOwned,
    ...(isNew && key !== undefined
      ? {
          started: {
            key,
            container: {
              isNew: isTold && options.every((option) => isItsOwnFiles(option, call)),
              mounts,
              ownsData: isOwned && has("--rm") !== undefined
            }
          }
        }
      : {})
  }
}
