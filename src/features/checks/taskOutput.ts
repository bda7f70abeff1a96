/** What the tasks of a monorepo print, without what their runner puts before each of its lines: Turborepo, Lerna, pnpm, yarn, nx. Pure, linear in the text. */

/** `web:build: `, `@acme/http: `, `packages/web test: `, `[@acme/http]: `: no program names itself like this. */
const taskName =
  /^(?:(?:@[\w.-]{1,60}\/)?[a-z][\w.-]{0,60}[:#][A-Za-z][\w.-]{0,60}(?:[:/][\w.-]{1,60}){0,3}|@[\w.-]{1,60}\/[\w.-]{1,60}|(?:\.|[\w.@-]{1,60}(?:\/[\w.@-]{1,60}){1,6}) [\w.-]{1,60}(?::[\w.-]{1,60}){0,3}|\[@?[\w.-]{1,60}(?:\/[\w.-]{1,60})?\]):(?= |$)/

/** `core: `, `core test: `: a package without a scope, or a program that says its own name. */
const bareName = /^[a-z][\w-]{0,60}(?: [\w-]{1,60}(?::[\w-]{1,60}){0,3})?:(?= |$)/

/** They begin many lines, some of them empty or indented, with a word of their own. */
const speakers =
  /^(?:error|warning|warn|note|help|hint|remote|info|debug|fatal|usage|npm|yarn|pnpm|bun|make|gmake|git|go|ld|cc|gcc|clang|rustc|node|python|bash|sh|zsh)\b/

interface Prefix {
  readonly isBare: boolean
  first: number
  last: number
  lines: number
  /** Lines behind which stands what no message begins with: nothing, or a space. */
  loose: number
  /** A runner of scripts shows the script before it starts. */
  announced: boolean
}

const least = 3

const prefixOf = (line: string): string | undefined => {
  const [name] = taskName.exec(line) ?? []
  if (name !== undefined) return name
  const [bare] = bareName.exec(line) ?? []
  return bare === undefined || speakers.test(bare) ? undefined : bare
}

const behind = (line: string, prefix: string): string => line.slice(prefix.length).replace(/^ /, "")

const counted = (
  lines: readonly string[],
  prefixes: readonly (string | undefined)[]
): ReadonlyMap<string, Prefix> => {
  const all = new Map<string, Prefix>()
  for (const [at, prefix] of prefixes.entries()) {
    if (prefix === undefined) continue
    const known = all.get(prefix) ?? {
      isBare: !taskName.test(prefix),
      first: at,
      last: at,
      lines: 0,
      loose: 0,
      announced: false
    }
    const rest = behind(lines[at] as string, prefix)
    known.last = at
    known.lines++
    if (/^\s|^$/.test(rest)) known.loose++
    if (/^[>$] \S/.test(rest)) known.announced = true
    all.set(prefix, known)
  }
  return all
}

const isRunners = ({ announced, isBare, lines, loose }: Prefix): boolean =>
  lines >= least && (!isBare || announced || loose * 4 >= lines)

/** Those that stand before most lines from their first to their last one, alone or with those of tasks that ran meanwhile. */
const runnersPrefixes = (
  lines: readonly string[],
  prefixes: readonly (string | undefined)[]
): ReadonlyMap<string, Prefix> => {
  const likely = new Map([...counted(lines, prefixes)].filter(([, prefix]) => isRunners(prefix)))
  if (likely.size === 0) return likely
  const before = [0]
  for (const [at, prefix] of prefixes.entries())
    before.push((before[at] as number) + (prefix !== undefined && likely.has(prefix) ? 1 : 0))
  return new Map(
    [...likely].filter(
      ([, { first, last }]) =>
        ((before[last + 1] as number) - (before[first] as number)) * 2 > last + 1 - first
    )
  )
}

/** Each task's lines together, as it printed them, where its first one stood. */
const withoutPrefixes = (lines: readonly string[]): readonly string[] => {
  const prefixes = lines.map(prefixOf)
  const runners = runnersPrefixes(lines, prefixes)
  if (runners.size === 0) return lines
  const blocks: string[][] = []
  const ofTask = new Map<string, string[]>()
  const plain = { block: undefined as string[] | undefined }
  let open: string | undefined
  for (const [at, line] of lines.entries()) {
    const prefix = prefixes[at]
    const own = prefix !== undefined && runners.has(prefix) ? prefix : undefined
    // A line that has none, among those of a task, is one that the task broke.
    const of = own ?? (open !== undefined && at < (runners.get(open)?.last ?? 0) ? open : undefined)
    const known = of === undefined ? plain.block : ofTask.get(of)
    const block = known ?? []
    if (known === undefined) {
      blocks.push(block)
      // What the runner says after a task stands after it.
      if (of === undefined) plain.block = block
      else {
        ofTask.set(of, block)
        plain.block = undefined
      }
    }
    block.push(own === undefined ? line : behind(line, own))
    open = of
  }
  return blocks.flat()
}

const nxTask = /^ {0,4}[✔✖×>] {1,2}nx run \S/

/** nx indents what a task printed, below the line that names it. */
const withoutIndentation = (lines: readonly string[]): readonly string[] => {
  let isWithin = false
  let indent = ""
  return lines.map((line) => {
    if (nxTask.test(line)) {
      isWithin = true
      indent = ""
      return line
    }
    if (!isWithin || line.trim() === "") return line
    if (indent === "") indent = /^ {4,12}(?=\S)/.exec(line)?.[0] ?? ""
    isWithin = indent !== "" && line.startsWith(indent)
    return isWithin ? line.slice(indent.length) : line
  })
}

export const taskOutput = (text: string): string => {
  const lines = text.split("\n")
  const plain = text.includes(": ") ? withoutPrefixes(lines) : lines
  return (text.includes("nx run ") ? withoutIndentation(plain) : plain).join("\n")
}
