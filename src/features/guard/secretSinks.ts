/** `secrets`: what sends something over the network, and whether that is a secret. */

import { type Call, type Rule, shown } from "./Call.ts"
import { expand, first } from "./expand.ts"
import { standardInput } from "./input.ts"
import type { Verdict } from "./rule.ts"
import { curl, wget } from "./secretRequests.ts"
import { givenSecret, isLocal, local, said, secretFile } from "./secretSent.ts"
import { carries, carriesSecret, isSecretFile } from "./secretSources.ts"
import { built, hosted, pushed, served, servedByPhp, servedByPython } from "./secretTools.ts"

const isElsewhere = (text: string): boolean => /^(?:[^/:]+:|\w+:\/\/)/.test(text) && !/^file:/.test(text)

/** Copies whose last operand is where it goes. `valued`: options whose value is no operand. */
const copy =
  (valued: RegExp, skip = 0) =>
  (call: Call): Verdict | undefined => {
    const texts = call.args
      .map(first)
      .filter((text, at, all) => !text.startsWith("-") && !valued.test(all[at - 1] ?? ""))
      .slice(skip)
    const target = texts.at(-1) ?? ""
    if (!isElsewhere(target)) return undefined
    const found = secretFile(
      call,
      texts.slice(0, -1).filter((text) => !isElsewhere(text))
    )
    return found === undefined ? undefined : said(call.name, shown(found))
  }

/** No option of it takes a value that could be taken for a file. */
const none = /(?!)/

const listening = (call: Call): boolean => isLocal(call.args.map(first).filter((text) => local.test(text)))

/** Of rsync: patterns, programs, sizes and local files, none of them sent. */
const rsyncValues =
  /^(?:-[efTMB]|--(?:rsh|rsync-path|exclude|include|filter|exclude-from|include-from|files-from|password-file|log-file|[a-z]+-dir|[a-z]+-dest|chmod|chown|bwlimit|port|timeout|m(?:ax|in)-size))$/

/** They send what they are given. */
const pipe = (call: Call): Verdict | undefined =>
  givenSecret(call) && !listening(call) ? said(call.name, "a secret") : undefined

const named = (call: Call): Verdict | undefined => {
  const found = secretFile(
    call,
    call.args.map((arg) => first(arg).replace(/^[^=@]{0,100}@/, ""))
  )
  return found === undefined ? pipe(call) : said(call.name, shown(found))
}

const asked = (call: Call): Verdict | undefined =>
  call.args.some(({ word }) => carriesSecret(word, call.state)) ? said(call.name, "a secret") : undefined

/** Any of its words that names a file of secrets. */
const anyFile = (call: Call): Verdict | undefined => {
  const found = secretFile(call, call.args.map(first))
  return found === undefined ? pipe(call) : said(call.name, shown(found))
}

/** `sftp host <<< 'put .env'`, and what its batch file says. */
const sftp = (call: Call): Verdict | undefined => {
  for (const [, path = ""] of (standardInput(call) ?? "").matchAll(
    /^[ \t]*(?:m?put|reput)[ \t]+(?:-\w+[ \t]+)*(\S+)/gm
  ))
    if (isSecretFile(path, call.state)) return said("sftp", shown(path))
  return pipe(call)
}

/** Its addresses name files: `FILE:.env`, `OPEN:…`, `EXEC:"cat .env"`. */
const socat = (call: Call): Verdict | undefined => {
  const texts = call.args.map(first)
  if (
    !texts.some((text) =>
      /^(?:tcp|udp|ssl|openssl|sctp|socks\w*|proxy)[46]?(?:-connect|-sendto)?:/i.test(text)
    )
  )
    return undefined
  const found = secretFile(
    call,
    texts.flatMap(
      (text) => /^(?:FILE|OPEN|CREATE|GOPEN|EXEC|SYSTEM):(.*?)(?:,|$)/i.exec(text)?.[1]?.split(/\s+/) ?? []
    )
  )
  return found === undefined ? pipe(call) : said("socat", shown(found))
}

const sub =
  (command: RegExp, rule: Rule): Rule =>
  (call) =>
    command.test(call.args.slice(0, 3).map(first).join(" ")) ? rule(call) : undefined

const sinks: Readonly<Record<string, Rule>> = {
  curl,
  wget,
  scp: copy(/^-[iPFoclSJD]$/),
  sftp,
  rsync: copy(rsyncValues),
  rclone: (call) => sub(/^(?:copy|sync|move)/, copy(none, 1))(call) ?? sub(/^rcat/, pipe)(call),
  openssl: sub(/^s_client/, pipe),
  gcloud: sub(/^(?:alpha |beta )?storage (?:cp|mv|rsync)/, copy(/^--[\w-]+$/, 2)),
  az: sub(/^storage (?:blob|file|fs)/, anyFile),
  azcopy: sub(/^(?:cp|copy|sync)/, copy(none, 1)),
  s3cmd: sub(/^(?:put|sync)/, copy(none, 1)),
  s5cmd: sub(/^(?:cp|mv|sync|pipe)/, copy(none, 1)),
  mc: sub(/^(?:cp|mv|mirror|pipe)/, anyFile),
  b2: sub(/^(?:upload|file upload|sync)/, anyFile),
  wormhole: sub(/^send/, anyFile),
  magic: sub(/^send/, anyFile),
  croc: anyFile,
  transfer: anyFile,
  ffsend: sub(/^upload/, anyFile),
  wrangler: sub(/^r2 object put/, anyFile),
  heroku: sub(/^config:set/, asked),
  ftp: pipe,
  lftp: named,
  tftp: pipe,
  websocat: pipe,
  rsh: pipe,
  aws: sub(/^s3 (?:cp|mv|sync) /, copy(/^--[\w-]+$/, 2)),
  gsutil: copy(none, 1),
  gh: hosted,
  glab: hosted,
  tea: hosted,
  hub: hosted,
  git: pushed,
  docker: built,
  podman: built,
  buildah: built,
  nerdctl: built,
  python: servedByPython,
  python2: servedByPython,
  python3: servedByPython,
  php: servedByPhp,
  serve: served,
  "http-server": served,
  "live-server": served,
  sirv: served,
  nc: pipe,
  ncat: pipe,
  netcat: pipe,
  socat,
  telnet: pipe,
  ssh: pipe,
  mail: pipe,
  sendmail: pipe,
  mutt: named,
  http: named,
  https: named,
  xh: named,
  dig: asked,
  nslookup: asked,
  host: asked,
  ping: asked
}

/** Where it writes to the network without a program of its own: a socket, or a descriptor that was opened on one. */
const socketOf = ({ redirects, state }: Call): string | undefined => {
  for (const { operator, target } of redirects) {
    if (!operator.includes(">")) continue
    const paths = expand(target, state)
    if (paths.some((path) => /^\/dev\/(?:tcp|udp)\//.test(path))) return "/dev/tcp"
    const isOpened = paths.some((path) => state.sockets.has(path.replace(/^\/dev\/fd\//, "")))
    if (isOpened && (operator === ">&" || paths.some((path) => path.startsWith("/dev/fd/"))))
      return "/dev/tcp"
  }
  return undefined
}

const hostOf = /^\/dev\/(?:tcp|udp)\/([^/]+)/

/** `exec 3<>/dev/tcp/host/80`: what is written to that descriptor from here on goes there. */
const openSocket = ({ args, name, redirects, state }: Call): void => {
  if (args.length > 0 || (name !== "" && name !== "exec")) return
  for (const { descriptor, target } of redirects) {
    const host = hostOf.exec(expand(target, state)[0] ?? "")?.[1]
    if (host !== undefined && descriptor !== undefined && !isLocal([host]) && state.sockets.size < 10)
      state.sockets.add(descriptor)
  }
}

export const secrets: Rule = (call) => {
  const socket = call.redirects.length === 0 ? undefined : socketOf(call)
  if (socket !== undefined) {
    openSocket(call)
    const stage = { assigns: [], words: call.args.map(({ word }) => word), redirects: call.redirects }
    const command = [{ kind: "text", text: call.name, quoted: false } as const]
    if (carries([...call.upstream, { ...stage, words: [command, ...stage.words] }], call.state))
      return said(socket, "a secret")
  }
  const sink = Object.hasOwn(sinks, call.name) ? sinks[call.name] : undefined
  return sink?.(call)
}
