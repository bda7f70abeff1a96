/** Commands that start another command: what it is that they start. */

import { nameOf } from "./Call.ts"
import { type Argument, first } from "./expand.ts"

export interface Unwrapped {
  readonly name: string
  readonly args: readonly Argument[]
  readonly fed: boolean
  /** As it was written, with its directory. */
  readonly path: string
}

interface Wrapper {
  /** Letters of options that take a value, as a separate word or not. */
  readonly valued: string
  /** Operands of its own before the command. */
  readonly operands?: number
  /** Only behind one of these words does it start a command. */
  readonly behind?: readonly string[]
  /** What it starts may have a version behind its name. */
  readonly packages?: boolean
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: "ughpCDRTrt" },
  doas: { valued: "uC" },
  env: { valued: "uC" },
  nohup: { valued: "" },
  setsid: { valued: "" },
  command: { valued: "" },
  builtin: { valued: "" },
  exec: { valued: "a" },
  time: { valued: "fo" },
  nice: { valued: "n" },
  ionice: { valued: "cn" },
  stdbuf: { valued: "ioe" },
  timeout: { valued: "ks", operands: 1 },
  flock: { valued: "wE", operands: 1 },
  caffeinate: { valued: "tw" },
  unbuffer: { valued: "" },
  busybox: { valued: "" },
  toybox: { valued: "" },
  pkexec: { valued: "" },
  chroot: { valued: "", operands: 1 },
  unshare: { valued: "SG" },
  nsenter: { valued: "tSG" },
  strace: { valued: "eopsu" },
  ltrace: { valued: "eopsu" },
  taskset: { valued: "", operands: 1 },
  chrt: { valued: "", operands: 1 },
  "systemd-run": { valued: "puEMH" },
  "systemd-inhibit": { valued: "" },
  setarch: { valued: "" },
  rlwrap: { valued: "" },
  proxychains: { valued: "f" },
  proxychains4: { valued: "f" },
  torsocks: { valued: "" },
  firejail: { valued: "" },
  bwrap: { valued: "" },
  cgexec: { valued: "g" },
  chpst: { valued: "u" },
  gosu: { valued: "", operands: 1 },
  "su-exec": { valued: "", operands: 1 },
  fakeroot: { valued: "" },
  noglob: { valued: "" },
  nocorrect: { valued: "" },
  dotenv: { valued: "e" },
  direnv: { valued: "", behind: ["exec"] },
  mise: { valued: "", behind: ["exec", "x"] },
  rbenv: { valued: "", behind: ["exec"] },
  pyenv: { valued: "", behind: ["exec"] },
  bundle: { valued: "", behind: ["exec"] },
  poetry: { valued: "", behind: ["run"] },
  pipenv: { valued: "", behind: ["run"] },
  uv: { valued: "", behind: ["run"] },
  rye: { valued: "", behind: ["run"] },
  hatch: { valued: "", behind: ["run"] },
  pdm: { valued: "", behind: ["run"] },
  conda: { valued: "n", behind: ["run"] },
  doppler: { valued: "pc", behind: ["run"] },
  op: { valued: "", behind: ["run"] },
  uvx: { valued: "", packages: true },
  pipx: { valued: "", behind: ["run"], packages: true },
  "cross-env": { valued: "" },
  screen: { valued: "SchetTpr" },
  npx: { valued: "p", packages: true },
  bunx: { valued: "p", packages: true },
  pnpx: { valued: "p", packages: true },
  npm: { valued: "pw", behind: ["exec", "x"], packages: true },
  pnpm: { valued: "CF", behind: ["dlx", "exec"], packages: true },
  yarn: { valued: "p", behind: ["dlx", "exec", "run"], packages: true },
  bun: { valued: "p", behind: ["x"], packages: true },
  xargs: { valued: "IRnPLsdaE" }
}

const isAssignment = (text: string): boolean => /^[A-Za-z_]\w*=/.test(text)

/** The place of the command that a wrapper at `at` starts, or one behind the end. */
const afterOptions = (words: readonly Argument[], at: number, { valued, operands = 0 }: Wrapper): number => {
  let next = at + 1
  for (; next < words.length; next++) {
    const text = first(words[next] as Argument)
    if (text === "--") {
      next++
      break
    }
    if (isAssignment(text)) continue
    if (!text.startsWith("-") || text === "-") break
    if (text.startsWith("--")) continue
    // The first letter that takes a value takes what stands behind it, or else the next word.
    const taking = [...text].findIndex((letter, place) => place > 0 && valued.includes(letter))
    if (taking > 0 && taking === text.length - 1) next++
  }
  return next + operands
}

/** The place of the command, where this starts one at all. */
const startedAt = (words: readonly Argument[], at: number, wrapper: Wrapper): number => {
  if (wrapper.behind === undefined) return afterOptions(words, at, wrapper)
  const before = afterOptions(words, at, wrapper)
  const verb = words[before]
  if (verb === undefined || !wrapper.behind.includes(first(verb))) return words.length
  return afterOptions(words, before, wrapper)
}

const nobody: Argument = { values: [], word: [] }

const wanted = "rm dd git mkfs shred find chmod chown curl wget bash sh mv".split(" ")

/** `/bin/r?` starts what it fits. */
const globbed = (name: string): string => {
  if (!/[?*[]/.test(name) || name.length > 12 || !/[a-z]/.test(name)) return name
  const pattern = name
    .replaceAll(/[.+^${}()|\\]/g, "")
    .replaceAll("?", ".")
    .replaceAll("*", ".*")
  try {
    const fits = new RegExp(`^${pattern}$`)
    return wanted.find((one) => fits.test(one)) ?? name
  } catch {
    return name
  }
}

/** It only asks, or what it starts is given as one text. */
const isItself = (name: string, words: readonly Argument[], at: number): boolean => {
  if (name === "command") return /^-[vV]/.test(first(words[at + 1] ?? nobody))
  if (name === "env")
    return words.slice(at + 1, at + 4).some((one) => /^(?:-\w*S|--split-string)/.test(first(one)))
  if (!/^(?:npm|npx|pnpm|yarn)$/.test(name)) return false
  return words.slice(at + 1, at + 6).some((one) => /^(?:-c$|--call)/.test(first(one)))
}

/** The command itself, once everything that only starts it is taken off. */
export const unwrap = (words: readonly Argument[]): Unwrapped | undefined => {
  let fed = false
  let packages = false
  for (let at = 0; at < words.length; ) {
    const text = first(words[at] as Argument)
    const name = nameOf(packages ? text.replace(/(?<=.)@.*$/s, "") : text)
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    const asks = isItself(name, words, at)
    const next = wrapper === undefined || asks ? words.length : startedAt(words, at, wrapper)
    if (next >= words.length) return { name: globbed(name), args: words.slice(at + 1), fed, path: text }
    fed ||= name === "xargs"
    packages = wrapper?.packages === true
    at = next
  }
  return undefined
}
