/** Commands that start another command: what it is that they start. */

import { nameOf } from "./Call.ts"
import { type Argument, first } from "./expand.ts"

export interface Unwrapped {
  readonly name: string
  readonly args: readonly Argument[]
  readonly fed: boolean
  /** As it was written, with its directory. */
  readonly path: string
  /** The directories that it is started in, each as seen from the one before; none where it is started in this one. */
  readonly folders: readonly string[]
  /** What commands before it that write files are told. */
  readonly recorded: readonly Argument[]
}

interface Wrapper {
  /** Letters of options that take a value, as a separate word or not. */
  readonly valued: string
  /** Long options that take so many of the words behind them as values. */
  readonly longs?: Readonly<Record<string, number>>
  /** Operands of its own before the command. */
  readonly operands?: number
  /** What may stand before the command, with further options behind it. */
  readonly perhaps?: RegExp
  /** Where there is a `--`, the command stands behind it, whatever stands before. */
  readonly dashes?: boolean
  /** Only behind one of these words does it start a command. */
  readonly behind?: readonly string[]
  /** What it starts may have a version behind its name. */
  readonly packages?: boolean
  /** The option that names the directory in which it starts the command, up to where the value begins. */
  readonly folder?: RegExp
  /** It writes a file that it is told. */
  readonly records?: true
}

const taking = (text: string, values = 1): Readonly<Record<string, number>> =>
  Object.fromEntries(text.split(" ").map((name) => [`--${name}`, values]))

const bound =
  "bind bind-try dev-bind dev-bind-try ro-bind ro-bind-try setenv symlink file bind-data ro-bind-data chmod"
const mounted =
  "proc dev tmpfs mqueue dir chdir unsetenv uid gid hostname lock-file remount-ro perms size cap-add cap-drop argv0 seccomp"

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: "ughpCDRTrt",
    longs: taking("user group host prompt chdir chroot close-from role type"),
    folder: /^(?:-[ABEHKNPSbeiknsv]*D|--chd[ir]*(?:=|$))/
  },
  doas: { valued: "uC" },
  env: { valued: "uC", longs: taking("unset chdir"), folder: /^(?:-[0iv]*C|--c[hdir]*(?:=|$))/ },
  nohup: { valued: "" },
  setsid: { valued: "" },
  command: { valued: "" },
  builtin: { valued: "" },
  exec: { valued: "a" },
  time: { valued: "fo", records: true },
  nice: { valued: "n", longs: taking("adjustment") },
  ionice: { valued: "cn", longs: taking("class classdata") },
  stdbuf: { valued: "ioe", longs: taking("input output error") },
  timeout: { valued: "ks", longs: taking("kill-after signal"), operands: 1 },
  flock: { valued: "wE", operands: 1 },
  caffeinate: { valued: "tw" },
  unbuffer: { valued: "" },
  busybox: { valued: "" },
  toybox: { valued: "" },
  pkexec: { valued: "" },
  chroot: { valued: "", operands: 1 },
  unshare: { valued: "SGRw", longs: taking("wd root"), folder: /^(?:-[a-zA-Z]*w|--wd(?:=|$))/ },
  nsenter: { valued: "tSG", folder: /^--wd=/ },
  strace: { valued: "abeEIoOpPsSuUX", records: true },
  ltrace: { valued: "aeDFlnopsuxX", records: true },
  taskset: { valued: "", operands: 1 },
  chrt: { valued: "", operands: 1 },
  "systemd-run": {
    valued: "puEMH",
    longs: taking("working-directory unit property"),
    folder: /^--working-d[a-z]*(?:=|$)/
  },
  "systemd-inhibit": { valued: "" },
  setarch: {
    valued: "",
    perhaps: /^(?:linux(?:32|64)|x86_64|i[3-6]86|aarch64|arm\w*|ppc\w*|s390x?|riscv\w*)$/
  },
  linux32: { valued: "" },
  linux64: { valued: "" },
  prlimit: { valued: "po" },
  numactl: {
    valued: "iIwpPmNC",
    longs: taking("interleave weighted-interleave preferred membind cpunodebind physcpubind")
  },
  script: { valued: "cEIOBTmoF", longs: taking("command"), operands: 1, records: true },
  runuser: { valued: "ugGcsw", longs: taking("user group supp-group") },
  tini: { valued: "pe" },
  "dumb-init": { valued: "r" },
  catatonit: { valued: "" },
  "xvfb-run": {
    valued: "efnpsw",
    longs: taking("auth-file error-file server-num xauth-protocol server-args wait")
  },
  chronic: { valued: "" },
  valgrind: { valued: "", records: true },
  "dbus-run-session": { valued: "" },
  sshpass: { valued: "pfdP" },
  volta: { valued: "", behind: ["run"] },
  ifne: { valued: "" },
  entr: { valued: "" },
  rlwrap: { valued: "" },
  proxychains: { valued: "f" },
  proxychains4: { valued: "f" },
  torsocks: { valued: "" },
  firejail: { valued: "" },
  bwrap: { valued: "", longs: { ...taking(bound, 2), ...taking(mounted) }, folder: /^--chdir$/ },
  cgexec: { valued: "g" },
  chpst: { valued: "u" },
  gosu: { valued: "", operands: 1 },
  "su-exec": { valued: "", operands: 1 },
  fakeroot: { valued: "" },
  noglob: { valued: "" },
  nocorrect: { valued: "" },
  dotenv: { valued: "e" },
  direnv: { valued: "", behind: ["exec"], operands: 1 },
  mise: { valued: "", behind: ["exec", "x"], dashes: true },
  "aws-vault": { valued: "", behind: ["exec"], dashes: true },
  rbenv: { valued: "", behind: ["exec"] },
  pyenv: { valued: "", behind: ["exec"] },
  bundle: { valued: "", behind: ["exec"] },
  poetry: {
    valued: "C",
    longs: taking("directory project"),
    behind: ["run"],
    folder: /^(?:-C|--directory(?:=|$))/
  },
  pipenv: { valued: "", behind: ["run"] },
  uv: { valued: "", longs: taking("directory project"), behind: ["run"], folder: /^--directory(?:=|$)/ },
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
  npm: {
    valued: "pwC",
    longs: taking("prefix"),
    behind: ["exec", "x"],
    packages: true,
    folder: /^(?:-C|--prefix(?:=|$))/
  },
  pnpm: {
    valued: "CF",
    longs: taking("dir filter"),
    behind: ["dlx", "exec"],
    packages: true,
    folder: /^(?:-C|--dir(?:=|$))/
  },
  yarn: {
    valued: "p",
    longs: taking("cwd"),
    behind: ["dlx", "exec", "run"],
    packages: true,
    folder: /^--cwd(?:=|$)/
  },
  bun: { valued: "p", behind: ["x"], packages: true },
  xargs: { valued: "IRnPLsdaE" }
}

const isAssignment = (text: string): boolean => /^[A-Za-z_]\w*=/.test(text)

const nobody: Argument = { values: [], word: [] }

/** The place of the command that a wrapper at `at` starts, or one behind the end. */
const afterOptions = (words: readonly Argument[], at: number, { longs = {}, valued }: Wrapper): number => {
  let next = at + 1
  for (; next < words.length; next++) {
    const text = first(words[next] as Argument)
    if (text === "--") {
      next++
      break
    }
    if (isAssignment(text)) continue
    if (!text.startsWith("-") || text === "-") break
    if (text.startsWith("--")) {
      // It may be cut short.
      const long = Object.hasOwn(longs, text) ? text : Object.keys(longs).find((one) => one.startsWith(text))
      next += long === undefined ? 0 : (longs[long] as number)
      continue
    }
    // The first letter that takes a value takes what stands behind it, or else the next word.
    const taking = [...text].findIndex((letter, place) => place > 0 && valued.includes(letter))
    if (taking > 0 && taking === text.length - 1) next++
  }
  return next
}

const afterOperands = (words: readonly Argument[], at: number, wrapper: Wrapper): number => {
  const { dashes = false, operands = 0, perhaps } = wrapper
  const dash = dashes ? words.findIndex((word, place) => place > at && first(word) === "--") : -1
  if (dash > 0) return dash + 1
  const next = afterOptions(words, at, wrapper)
  if (perhaps?.test(first(words[next] ?? nobody)) === true) return afterOptions(words, next, wrapper)
  return next + operands
}

/** The place of the command, where this starts one at all. */
const startedAt = (words: readonly Argument[], at: number, wrapper: Wrapper): number => {
  if (wrapper.behind === undefined) return afterOperands(words, at, wrapper)
  const before = afterOptions(words, at, wrapper)
  const verb = words[before]
  if (verb === undefined || !wrapper.behind.includes(first(verb))) return words.length
  return afterOperands(words, before, wrapper)
}

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

/** Options with which these are given a text, or (`unless`) without which they are. */
const givenText: Readonly<Record<string, { readonly text: RegExp; readonly unless?: true }>> = {
  flock: { text: /^(?:-c|--command)$/ },
  script: { text: /^(?:-\w*c|--command)/ },
  entr: { text: /^-\w*s/ },
  runuser: { text: /^(?:-\w*u|--user)/, unless: true }
}

/** It only asks, or what it starts is given as one text. */
const isItself = (name: string, words: readonly Argument[], at: number): boolean => {
  if (name === "command") return /^-[vV]/.test(first(words[at + 1] ?? nobody))
  if (name === "env")
    return words.slice(at + 1, at + 4).some((one) => /^(?:-\w*S|--split-string)/.test(first(one)))
  const itself = Object.hasOwn(givenText, name) ? givenText[name] : undefined
  if (itself !== undefined) {
    const given = words.slice(at + 1, at + 6).some((one) => itself.text.test(first(one)))
    return given === !itself.unless
  }
  if (!/^(?:npm|npx|pnpm|yarn)$/.test(name)) return false
  return words.slice(at + 1, at + 6).some((one) => /^(?:-c$|--call)/.test(first(one)))
}

/** Which of the words between a wrapper and its command names a directory. */
const folderIn = (words: readonly Argument[], wrapper: Wrapper): readonly string[] => {
  const { folder } = wrapper
  return folder === undefined
    ? []
    : words.flatMap((word, at) => {
        const found = folder.exec(first(word))
        if (found === null) return []
        const rest = first(word).slice(found[0].length)
        return [rest === "" ? first(words[at + 1] ?? nobody) : rest]
      })
}

/** The command itself, once everything that only starts it is taken off. */
export const unwrap = (words: readonly Argument[]): Unwrapped | undefined => {
  let fed = false
  let packages = false
  const folders: string[] = []
  const recorded: Argument[] = []
  for (let at = 0; at < words.length; ) {
    const text = first(words[at] as Argument)
    const name = nameOf(packages ? text.replace(/(?<=.)@.*$/s, "") : text)
    const wrapper = Object.hasOwn(wrappers, name) ? wrappers[name] : undefined
    const asks = isItself(name, words, at)
    const next = wrapper === undefined || asks ? words.length : startedAt(words, at, wrapper)
    if (next >= words.length || wrapper === undefined)
      return { name: globbed(name), args: words.slice(at + 1), fed, path: text, folders, recorded }
    folders.push(...folderIn(words.slice(at + 1, next), wrapper))
    if (wrapper.records === true) recorded.push(...words.slice(at + 1, next))
    fed ||= name === "xargs"
    packages = wrapper.packages === true
    at = next
  }
  return undefined
}
