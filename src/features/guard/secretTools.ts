/** Of `secrets`: tools that send or show files on their way to something else: hosts of code, git, image builders, file servers. */

import { type Call, readOptions, shown } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { within } from "./folders.ts"
import { ownHost } from "./ownMachine.ts"
import { readGit } from "./packs/gitCall.ts"
import { absolute } from "./paths.ts"
import type { Verdict } from "./rule.ts"
import { said, secretFile } from "./secretSent.ts"
import { carriesSecret, isSecretFile } from "./secretSources.ts"

/** Where a host keeps secrets for its users, a secret belongs. */
const keepsSecrets = /^(?:secret|variable|auth|ssh-key|gpg-key|deploy-key|config)$/

/** `gh issue create --body-file .env`, `gh release upload v1 .env`. */
export const hosted = (call: Call): Verdict | undefined => {
  const [verb, then] = call.args.map(first)
  if (keepsSecrets.test(verb ?? "") || then === "deploy-key") return undefined
  const found = secretFile(
    call,
    call.args.map((arg) => first(arg).replace(/^(?:--[\w-]+=|[^=@]{0,100}@)/, ""))
  )
  if (found !== undefined) return said(call.name, shown(found))
  return call.args.some(({ word }) => carriesSecret(word, call.state))
    ? said(call.name, "a secret")
    : undefined
}

/** What a repository ignores nobody adds by accident: a push of it asks. */
export const pushed = (call: Call): Verdict | undefined => {
  const git = readGit(call)
  if (git?.verb === "add" && (git.options.flags.has("f") || git.options.flags.has("--force"))) {
    const found = secretFile(call, git.options.operands.map(first))
    if (found !== undefined && call.state.staged.size < 10) call.state.staged.add(found)
    return undefined
  }
  const [staged] = git?.verb === "push" ? call.state.staged : []
  return staged === undefined ? undefined : { ...said("git push", shown(staged)), action: "ask" }
}

/** A file that is read into an argument of a build stays readable in the image's history. */
export const built = (call: Call): Verdict | undefined => {
  if (!/^(?:build|bud|buildx|compose)$/.test(call.args[0] === undefined ? "" : first(call.args[0])))
    return undefined
  const isRead = (arg: Argument, at: number): boolean =>
    (first(arg).startsWith("--build-arg=") || first(call.args[at - 1] ?? arg) === "--build-arg") &&
    carriesSecret(
      arg.word.filter(({ kind }) => kind === "output"),
      call.state
    )
  return call.args.some(isRead)
    ? {
        rule: "secrets",
        action: "ask",
        reason: `\`${call.name} build --build-arg\` keeps a secret in the image, for whoever gets it.`
      }
    : undefined
}

const here: Argument = { values: ["."], word: [] }
const loopback = new RegExp(String.raw`^${ownHost}(?::\d+)?$`)

/** What a file server shows to whoever asks: the home directory, what it lies in, or keys. */
const shows = (folder: Argument, call: Call, bound: string | undefined): Verdict | undefined => {
  if (call.state.remote || loopback.test(bound ?? "")) return undefined
  const path = absolute(first(folder), call.state)
  if (path === undefined) return undefined
  const { home } = call.state.place
  return within(home, path) || isSecretFile(path, call.state)
    ? {
        rule: "secrets",
        action: "ask",
        reason: `\`${call.name}\` shows ${shown(path)} and what is in it to whoever asks for it.`
      }
    : undefined
}

/** The value of an option, apart or attached. */
const valueOf = ({ args }: Call, ...names: readonly string[]): Argument | undefined => {
  for (const [at, arg] of args.entries()) {
    const text = first(arg)
    if (names.includes(text)) return args[at + 1]
    const name = names.find((one) => one.startsWith("--") && text.startsWith(`${one}=`))
    if (name !== undefined) return { ...arg, values: [text.slice(name.length + 1)] }
  }
  return undefined
}

const textOf = (arg: Argument | undefined): string | undefined => arg && first(arg)

export const servedByPython = (call: Call): Verdict | undefined => {
  const at = call.args.findIndex((arg) => /^(?:http\.server|SimpleHTTPServer)$/.test(first(arg)))
  return at > 0 && first(call.args[at - 1] as Argument) === "-m"
    ? shows(valueOf(call, "-d", "--directory") ?? here, call, textOf(valueOf(call, "-b", "--bind")))
    : undefined
}

export const servedByPhp = (call: Call): Verdict | undefined => {
  const bound = textOf(valueOf(call, "-S"))
  return bound === undefined ? undefined : shows(valueOf(call, "-t") ?? here, call, bound)
}

export const served = (call: Call): Verdict | undefined =>
  shows(
    readOptions(call.args, "placSP").operands[0] ?? here,
    call,
    textOf(valueOf(call, "-a", "--host", "-H", "--address"))
  )
