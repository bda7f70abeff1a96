/** What a command of a shell would write to, delete, move or hand to a program that may: everything but plain reading. */

import { patchedFiles } from "../../adapters/toolCall.ts"
import { type Call, nameOf } from "../guard/Call.ts"
import { type Argument, expand, first } from "../guard/expand.ts"
import { readFind } from "../guard/listed.ts"
import { absolute } from "../guard/paths.ts"
import { unknown } from "../guard/script.ts"
import { executed } from "../guard/texts.ts"
import { type Guarded, holds, isHolder, meant, named } from "./guarded.ts"

/** They write to nothing that they are given, save by an option that is looked at below. */
const readers = new Set(
  `cat tac bat less more head tail grep egrep fgrep rg ag ls ll stat file wc diff cmp comm test [ [[ echo printf true false
  sha1sum sha256sum md5sum shasum cksum du df tree xxd od hexdump strings realpath readlink dirname basename which type command cd
  pushd popd pwd cut tr nl fold column jq uniq sort awk gawk sed find fd git sleep source . read return exit set
  for case while until if then case wait date env printenv id whoami hash mkdir touch-nothing`.split(/\s+/)
)

/** Options that make a reader write. */
const writing: Readonly<Record<string, RegExp>> = {
  sed: /^-[a-zA-Z]*i|^--in-place/,
  awk: /^-i$|inplace/,
  gawk: /^-i$|inplace/,
  sort: /^-o|^--output/,
  find: /^-(?:delete|exec|execdir|ok|okdir|fprint\w*|fls)$/,
  fd: /^-(?:x|X)$|^--exec/,
  tree: /^-o$/,
  git: /^(?:checkout|restore|rm|mv|clean|apply|am|stash|reset|update-index|worktree|config|submodule|switch)$/
}

/** They take away or put in place whole folders. */
const movers = new Set(
  "rm rmdir mv unlink shred rsync trash gio rimraf ln chmod chown chgrp chattr mount srm".split(" ")
)

/** The last operand is where all others go, under their own names. */
const copiers = new Set("cp mv install ln rsync scp ditto".split(" "))

const interpreters = /^(?:python\d*(?:\.\d+)?|node|nodejs|bun|deno|perl|ruby|php|osascript|tclsh|lua)$/

/** Ways of writing, as programs have them. */
const writes =
  /write|append|open\([^)]*["'][wa+rbx]*[wax+]|dump|unlink|remove|rename|replace|\brm|truncate|chmod|subprocess|system|exec|spawn|copy|cp|move|link|>|popen|output/i

const mention =
  /\.claude\b[\s\S]{0,40}settings|settings\.local\.json|\.codex\b[\s\S]{0,40}(?:hooks\.json|config\.toml)|\.gemini\b[\s\S]{0,40}settings|\.cursor\b[\s\S]{0,40}hooks|windsurf\b[\s\S]{0,40}hooks|(?:\.config|state|Application Support)\b[\s\S]{0,20}hooktape|hooktape[\s\S]{0,20}\b(?:trust|uninstall|disable)\b/

/** One of hooktape's commands in a text that another program is given to start, as `script -c` and `at` are. */
const command = /\bhooktape\b[^\n]{0,20}\s(?:trust|uninstall|install|hooks\s{1,9}(?:en|dis)able)\b/

export const mentions = (text: string): boolean =>
  mention.test(text.replace(/["'`+,()[\]\s\\]+/g, " ").slice(0, 20_000)) ||
  mention.test(text.slice(0, 20_000))

const shaped = new RegExp(`[*?[${unknown}]`)
const mostOpen = 8

/** Whether a path with open places may come to this one. */
const mayBe = (pattern: string, path: string): boolean => {
  const parts = pattern.split(/(\*+|\?|\[[^\]]{1,40}\]|\uffff)/)
  if (parts.length > 2 * mostOpen || pattern.length > 500) return true
  const source = parts
    .map((part, at) => {
      if (at % 2 === 0) return part.replace(/[.+^${}()|\\[\]]/g, "\\$&")
      if (part === unknown) return ".{0,200}"
      return part.startsWith("*") ? "[^/]{0,100}" : "[^/]"
    })
    .join("")
  return new RegExp(`^${source}(?:/.*)?$`).test(path)
}

export interface Look {
  readonly guarded: readonly Guarded[]
  /** Every file that is guarded here, with the folders that hold it. */
  readonly known: readonly string[]
}

const meaning = (value: string, { state }: Call, look: Look, whole: boolean): string | undefined => {
  if (value === "" || value.startsWith(unknown)) return undefined
  const path = absolute(value, state)
  if (path === undefined) return undefined
  if (shaped.test(path)) {
    const hit = look.known.find((one) => mayBe(path, one))
    return hit === undefined
      ? undefined
      : (named(hit, look.guarded) ?? (whole ? holds(hit, look.guarded) : undefined))
  }
  return meant(path, look.guarded) ?? (whole ? holds(path, look.guarded) : undefined)
}

const valuesOf = ({ values }: Argument): readonly string[] =>
  values.flatMap((value) => {
    const equals = value.indexOf("=")
    // `of=…`, `--output=…`, `-o…`
    return [
      value,
      ...(equals > 0 ? [value.slice(equals + 1)] : []),
      ...(/^-[a-zA-Z][~/.]/.test(value) ? [value.slice(2)] : [])
    ]
  })

const reads = (call: Call): boolean => {
  const texts = call.args.map(first)
  const option = Object.hasOwn(writing, call.name) ? writing[call.name] : undefined
  return readers.has(call.name) && (option === undefined || !texts.some((text) => option.test(text)))
}

/** Where a copy lands: in the last operand, or beneath it under its own name. */
const landings = ({ args, name }: Call): readonly string[] => {
  if (!copiers.has(name)) return []
  const operands = args.map(first).filter((text) => !text.startsWith("-"))
  const target =
    args
      .map(first)
      .find((text) => text.startsWith("--target-directory="))
      ?.slice(19) ??
    operands.at(-1) ??
    ""
  return operands.slice(0, -1).map((source) => `${target}/${nameOf(source.replace(/\/+$/, ""))}`)
}

const given = (call: Call): string =>
  call.redirects
    .flatMap(({ operator, target }) => (operator.startsWith("<<") ? expand(target, call.state) : []))
    .join("\n")

const redirected = (call: Call, look: Look): string | undefined => {
  for (const { operator, target } of call.redirects) {
    if (!operator.includes(">")) continue
    for (const value of expand(target, call.state)) {
      const what = meaning(value, call, look, false)
      if (what !== undefined) return what
    }
  }
  return undefined
}

/** What is touched, in words. */
export const touched = (call: Call, look: Look): string | undefined => {
  // Another machine's files are not these.
  if (call.state.remote) return undefined
  const byRedirect = redirected(call, look)
  if (byRedirect !== undefined || call.name === "" || reads(call)) return byRedirect
  const texts = call.args.flatMap(({ values }) => values)
  const all = [...texts, given(call)].join("\n")
  if (
    !/^(?:hooktape|gh|glab)$/.test(call.name) &&
    texts.concat(given(call)).some((text) => command.test(text))
  )
    return "which code and hooks may run"
  if (interpreters.test(call.name)) {
    if (mentions(all) && writes.test(all)) return "what guards an agent"
  }
  if (call.name === "apply_patch" || call.name === "patch") {
    const named = patchedFiles(all).flatMap(({ from, path }) => (from === undefined ? [path] : [from, path]))
    for (const one of [
      ...named,
      ...(all.match(/^(?:\+\+\+|---) (?:[ab]\/)?(\S+)/gm) ?? []).map((line) =>
        line.replace(/^\S+ (?:[ab]\/)?/, "")
      )
    ]) {
      const what = meaning(one, call, look, false)
      if (what !== undefined) return what
    }
  }
  if (call.name === "find") {
    const { roots } = readFind(call.args)
    const plain = executed(call.args).every((words) => readers.has(nameOf(first(words[0] as Argument))))
    const root =
      plain && !call.args.map(first).some((text) => /^-(?:delete|fprint|fls)/.test(text)) ? [] : roots
    return root.some((one) => isHolder(absolute(first(one), call.state) ?? ""))
      ? "the hook settings of an agent"
      : root.map((one) => meaning(first(one), call, look, false)).find((what) => what !== undefined)
  }
  const whole = movers.has(call.name) || copiers.has(call.name)
  const moves = movers.has(call.name)
  for (const [at, arg] of call.args.entries()) {
    // A copy's source is only read.
    if (call.name === "cp" && at < call.args.length - 1) continue
    for (const value of valuesOf(arg)) {
      const what = meaning(value, call, look, moves)
      if (what !== undefined) return what
    }
  }
  for (const value of whole ? landings(call) : []) {
    const what = meaning(value, call, look, true)
    if (what !== undefined) return what
  }
  if (
    call.fed &&
    call.upstream.some(({ words }) =>
      words.some((word) =>
        expand(word, call.state).some(
          (value) => mentions(value) || meaning(value, call, look, true) !== undefined
        )
      )
    )
  )
    return "what guards an agent"
  return undefined
}
