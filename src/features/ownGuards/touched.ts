/** What a command of a shell would write to, delete, move or hand to a program that may: everything but plain reading. */

import { patchedFiles } from "../../agents/toolCall.ts"
import { type Call, nameOf, readOptions } from "../guard/Call.ts"
import { type Argument, expand, first } from "../guard/expand.ts"
import { handedText } from "../guard/input.ts"
import { onHost } from "../guard/mounts.ts"
import { isJsonTool, outputs } from "../guard/outputs.ts"
import { absolute } from "../guard/paths.ts"
import type { Container } from "../guard/shellState.ts"
import { startsProgram } from "./commands.ts"
import { changedBySearch, isSearch, listed, listedInWords } from "./found.ts"
import { isHolder } from "./guarded.ts"
import { allOf, firstMeaning, type Look, meaning, meaningOfFilled, meaningOfFolder } from "./meaning.ts"
import { programWords } from "./program.ts"
import { readsOnly } from "./readsOnly.ts"
import { isTransfer, transferred } from "./transferred.ts"
import { versioned } from "./versioned.ts"

/** They write to nothing that they are given, save by an option, or in a way that `outputs` knows. */
const readers = new Set(
  `cat tac bat less more head tail grep egrep fgrep rg ag ls ll stat file wc diff cmp comm test [ [[ echo printf true false
  sha1sum sha224sum sha256sum sha384sum sha512sum b2sum md5sum md5 shasum cksum sum du df tree xxd od hexdump strings realpath readlink dirname
  basename which type command cd pushd popd pwd cut tr nl fold column jq uniq sort awk gawk mawk nawk sed find fd fdfind git sleep source .
  read let unset mapfile readarray return exit set for case while until if then case wait date env printenv id whoami hash mkdir touch-nothing biome eslint
  prettier`.split(/\s+/)
)

/** Options that make a reader write to all that it is given. */
const writing: Readonly<Record<string, RegExp>> = {
  sed: /^-[a-zA-Z]*i|^--i/,
  awk: /^-i$|inplace/,
  gawk: /^-i$|inplace/,
  git: /^(?:checkout|checkout-index|restore|rm|mv|clean|apply|am|stash|reset|update-index|worktree|config|submodule|switch|clone|init|pull|merge|rebase)$/,
  biome: /^--(?:write|fix|apply|unsafe)|^(?:migrate|init)$/,
  eslint: /^--fix/,
  prettier: /^-[a-z]*w|^--w/
}

/** They take away whole folders, or put another in their place. */
const removers = new Set("rm rmdir unlink shred trash gio rimraf chattr mount srm".split(" "))

const permissions = new Set(["chmod", "chown", "chgrp"])

/** They put files into a folder that an option names, under names that only the archive or the server knows. */
const unpackers = new Set("tar bsdtar unzip 7z curl wget aria2c cpio patch".split(" "))

const interpreters = /^(?:python\d*(?:\.\d+)?|node|nodejs|bun|deno|perl|ruby|php|osascript|tclsh|lua)$/

/** Ways of writing, as programs have them. */
const writes =
  /write|append|open\([^)]*["'][wa+rbx]*[wax+]|dump|unlink|remove|rename|replace|\brm|truncate|chmod|subprocess|system|exec|spawn|copy|cp|move|link|>|popen|output/i

const mention =
  /\.claude\b[\s\S]{0,40}settings|settings\.local\.json|\.codex\b[\s\S]{0,40}(?:hooks\.json|config\.toml)|\.(?:gemini|qwen)\b[\s\S]{0,40}settings|\.(?:cursor|copilot|kiro)\b[\s\S]{0,40}hooks|\.github\b[\s\S]{0,10}hooks\b[\s\S]{0,10}hooktape|windsurf\b[\s\S]{0,40}hooks|opencode\b[\s\S]{0,40}hooktape|(?:\.config|state|Application Support)\b[\s\S]{0,20}hooktape|hooktape[\s\S]{0,20}\b(?:trust|uninstall|disable)\b/

/** One of hooktape's commands in a text that another program is given to start, as `script -c` and `at` are. */
const command = /\bhooktape\b[^\n]{0,20}\s(?:trust|uninstall|install|hooks\s{1,9}(?:en|dis)able)\b/

export const mentions = (text: string): boolean =>
  mention.test(text.replace(/["'`+,()[\]\s\\]+/g, " ")) || mention.test(text)

/** Whether a word of it is a folder that is guarded as a whole, such as `~/.claude`. */
export const mentionsHolder = (text: string): boolean =>
  text.split(/[\s;|&()<>=,{}]+/).some((word) => isHolder(word.replace(/\/+$/, "")))

/** A word with what it gives an option: `of=…`, `--output=…`, `-o…`. Bash puts the home in place of `~` behind `=` as well. */
const valuesOf = ({ values }: Argument, { state }: Call): readonly string[] =>
  values.flatMap((value) => {
    const equals = value.indexOf("=")
    return [
      value,
      ...(equals > 0 ? [value.slice(equals + 1).replace(/^~(?=\/|$)/, state.place.home)] : []),
      ...(/^-[a-zA-Z][~/.]/.test(value) ? [value.slice(2)] : [])
    ]
  })

const nobody: Argument = { values: [], word: [] }

const reads = (call: Pick<Call, "args" | "name">): boolean => {
  const option = Object.hasOwn(writing, call.name) ? writing[call.name] : undefined
  if (isJsonTool(call)) return true
  return readers.has(call.name) && !call.args.some((arg) => option?.test(first(arg)))
}

const given = (call: Call): string =>
  call.redirects
    .flatMap(({ operator, target }) => (operator.startsWith("<<") ? expand(target, call.state) : []))
    .join("\n")

const redirected = (call: Call, look: Look): string | undefined =>
  firstMeaning(
    call.redirects.filter(({ operator }) => operator.includes(">")),
    ({ target }) => firstMeaning(expand(target, call.state), (value) => meaning(value, call, look, false))
  )

/** What a reader writes to in spite of it, and what starts the command beside that. */
const written = (call: Call, look: Look): string | undefined => {
  const recorded = (call.recorded ?? []).flatMap((arg) => valuesOf(arg, call))
  const what = firstMeaning([...outputs(call), ...recorded], (value) => meaning(value, call, look, false))
  if (what !== undefined || !isSearch(call)) return what
  return changedBySearch(call, look, reads)
}

/** One of hooktape's commands, for another program to start, or a program that names what it writes to. */
const told = (call: Call): string | undefined => {
  const texts = [...allOf(call.args), given(call)]
  if (!/^(?:hooktape|gh|glab)$/.test(call.name) && texts.some((text) => command.test(text)))
    return "which code and hooks may run"
  const all = texts.join("\n")
  return interpreters.test(call.name) && mentions(all) && writes.test(all) && !readsOnly(call.name, texts)
    ? "what guards an agent"
    : undefined
}

const patched = (call: Call, look: Look): string | undefined => {
  if (call.name !== "apply_patch" && call.name !== "patch") return undefined
  const all = [...allOf(call.args), given(call)].join("\n")
  const named = patchedFiles(all).flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]))
  const headed = (all.match(/^(?:\+\+\+|---) (?:[ab]\/)?(\S+)/gm) ?? []).map((line) =>
    line.replace(/^\S+ (?:[ab]\/)?/, "")
  )
  return firstMeaning([...named, ...headed], (one) => meaning(one, call, look, false))
}

/** A mode that takes from the owner what it needs to go into a folder and read there: one that only opens, or is about others, still guards. */
const closing = /^(?:[go]*[ua][ugoa]*)?(?:-[rwxXst]+|=[wst]*)$|^0?[0-46][0-7]{2}$/

const closes = (texts: readonly string[]): boolean =>
  texts.some((text) => text.split(",").some((clause) => closing.test(clause)))

/** `-R` goes down to what a folder holds. */
const permitted = (call: Call, look: Look): string | undefined => {
  const texts = allOf(call.args)
  const deep = texts.some((text) => /^-[a-zA-Z]*R|^--rec/.test(text))
  const whole = deep && closes(texts)
  return firstMeaning(
    texts,
    (value) => meaningOfFolder(value, call, look) ?? meaning(value, call, look, whole)
  )
}

/** They write to the folder that they are started in, if they are told no other. */
const archives = /^(?:bsdtar|tar|unzip|7z|cpio|patch)$/

const packs = ({ args, name }: Call): boolean =>
  /^(?:bsd)?tar$/.test(name) && /^-?[a-zA-Z]*[ctru]|^--(?:create|list)/.test(first(args[0] ?? nobody))

/** What an archive or a server is written over: a folder, or the name that the address ends in. */
const unpacked = (call: Call, look: Look): string | undefined => {
  if (packs(call)) return undefined
  const texts = allOf(call.args)
  const fetched = texts
    .filter((text) => text.includes("://"))
    .map((text) => nameOf(text.replace(/[?#].*$/s, "")))
  const here = archives.test(call.name) && !texts.some((text) => /^(?:-C|-d|--dir)/.test(text)) ? ["."] : []
  const of = archives.test(call.name) ? meaningOfFilled : meaningOfFolder
  return (
    firstMeaning([...here, ...call.args.flatMap((arg) => valuesOf(arg, call))], (value) =>
      of(value, call, look)
    ) ?? firstMeaning(fetched, (value) => meaning(value, call, look, false))
  )
}

/** The folder that `git clone` or `git init` makes and fills: the one that it is told, or one named as the address ends. */
const cloned = (call: Call, look: Look): string | undefined => {
  const texts = call.args.map(first)
  const at = call.name === "git" ? texts.findIndex((text) => text === "clone" || text === "init") : -1
  if (at < 0) return undefined
  const { operands } = readOptions(call.args.slice(at + 1), "bocju")
  const source = nameOf(texts.findLast((text) => /[:/]/.test(text))?.replace(/\/+$/, "") ?? "")
  const own = texts[at] === "clone" ? [nameOf(source.replace(/^.*:/, "")).replace(/\.git$/, "")] : []
  return firstMeaning([...operands.flatMap(({ values }) => values), ...own], (value) =>
    meaningOfFolder(value, call, look)
  )
}

/** What the paths that a command is given mean, by what it does to them. */
const operated = (call: Call, look: Look): string | undefined => {
  if (isTransfer(call)) return transferred(call, look)
  if (permissions.has(call.name)) return permitted(call, look)
  const filled = unpackers.has(call.name) ? unpacked(call, look) : cloned(call, look)
  if (filled !== undefined) return filled
  const changed = versioned(call, look)
  if (changed !== undefined) return changed.what
  const whole = removers.has(call.name)
  const what = firstMeaning(
    call.args.flatMap((arg) => valuesOf(arg, call)),
    (value) => meaning(value, call, look, whole)
  )
  return what === programWords && startsProgram(call) ? undefined : what
}

/** `git -C folder` works there. */
const placed = (call: Call): Call => {
  const at = call.name === "git" ? call.args.findIndex((arg) => first(arg) === "-C") : -1
  const folder = call.args[at + 1]
  return at < 0 || folder === undefined
    ? call
    : { ...call, state: { ...call.state, cwd: absolute(first(folder), call.state) } }
}

/** What is handed over as further arguments: through the pipeline, from a text or out of a file that says where it comes from. */
const fed = (call: Call, look: Look): string | undefined => {
  if (!call.fed) return undefined
  const text = handedText(call) ?? ""
  const whole = removers.has(call.name) || call.name === "mv"
  const handed = firstMeaning(text.split(/[\s\0]+/), (value) => meaning(value, call, look, whole))
  if (handed !== undefined) return handed
  const words = call.upstream.flatMap((stage) => stage.words).flatMap((word) => expand(word, call.state))
  return mentions([...words, text].join(" ")) || listed(call.upstream, call, look) !== undefined
    ? "what guards an agent"
    : undefined
}

/** A command in a container with the host's paths in place of those that they are mounted at. */
const asOnHost = (call: Call, container: Container): Call => {
  const { container: _, ...state } = call.state
  const hosts = (value: string): readonly string[] => {
    const path = /^-/.test(value) ? undefined : absolute(value, state)
    return path === undefined ? [value] : onHost(path, container)
  }
  const args = call.args.map((arg) => ({ ...arg, values: arg.values.flatMap(hosts) }))
  const redirects = call.redirects.flatMap((redirect) =>
    redirect.operator.includes(">")
      ? expand(redirect.target, state)
          .flatMap(hosts)
          .map((text) => ({ ...redirect, target: [{ kind: "text", text, quoted: true } as const] }))
      : [redirect]
  )
  return { ...call, args, redirects, state: { ...state, cwd: undefined, remote: false } }
}

/** What is touched, in words. */
export const touched = (started: Call, look: Look): string | undefined => {
  // Another machine's files are not these, save what is mounted there.
  const { container, remote } = started.state
  if (remote && (container === undefined || container.mounts.length === 0)) return undefined
  const here = container === undefined ? started : asOnHost(started, container)
  const call = placed(here)
  const what = redirected(here, look) ?? written(call, look)
  if (what !== undefined || call.name === "" || reads(call)) return what
  return (
    told(call) ?? patched(call, look) ?? operated(call, look) ?? listedInWords(call, look) ?? fed(call, look)
  )
}
