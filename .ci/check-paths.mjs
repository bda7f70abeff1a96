/**
 * Every path and every pattern that a check, a configuration, continuous integration or a page names must match a file: a rule about a
 * folder that has moved would go on passing, and check nothing. Each list is read from where it stands.
 *
 *     node .ci/check-paths.mjs [directory]     exit 1 and one line for each pattern without a file
 */
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join, posix, resolve } from "node:path"
import { argv, exit, stderr, stdout } from "node:process"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const project = resolve(argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), ".."))
const read = (path) => readFileSync(join(project, path), "utf8")

/** What is named without being in the repository. An entry that excuses nothing is an error as well. */
const exceptions = [
  [/(^|\/)node_modules(\/|$)/, "installed by npm"],
  [/^dist(\/|$)/, "made by the build"],
  [/^\.git$/, "git's own"],
  [/^(typescript|better-sqlite3)\/package\.json$/, "a file of a package, found by its name"],
  [/^@effect\/(language-service|tsgo-linux-x64)$/, "a package, found by its name"],
  [/^docs\/decisions\/NNNN-title\.md$/, "how a decision is named, not one of them"],
  [/^src\/redis\.ts$/, "a file of a user, in an example"]
]
const excused = new Set()
const isExcused = (path) => {
  const exception = exceptions.find(([pattern]) => pattern.test(path))
  if (exception !== undefined) excused.add(exception)
  return exception !== undefined
}

const skipped = new Set(["node_modules", "dist", ".git", "coverage"])
const listFiles = (directory = "") =>
  readdirSync(join(project, directory), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(directory, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path)
    return [path]
  })
const files = listFiles()
const folders = new Set(files.map((file) => file.split("/")[0]).filter((name) => !files.includes(name)))

// Globs: a pattern stands for what it matches and for everything below.

/** `a/{b,c}` is two patterns, each of which has to match. */
const withoutBraces = (glob) => {
  const braces = /\{([^{}]*)\}/.exec(glob)
  if (braces === null) return [glob]
  return braces[1].split(",").flatMap((one) => withoutBraces(glob.replace(braces[0], one)))
}

const globExpression = (glob) => {
  const special = { "**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]" }
  const source = glob.replace(/\*\*\/|\*\*|[*?]|[.+^$()|[\]\\]/g, (part) => special[part] ?? `\\${part}`)
  return new RegExp(`^${source}(?:/.*)?$`)
}

/** Of a negated pattern what it takes out is looked for. */
const deadGlobs = (pattern, from = "") =>
  withoutBraces(pattern.replace(/^!+/, ""))
    .map((glob) => posix.join(from, glob).replace(/\/$/, ""))
    .filter((glob) => {
      if (isExcused(glob)) return false
      const expression = globExpression(glob)
      return !files.some((file) => expression.test(file))
    })

// Regular expressions: each alternative that holds a name has to match by itself.

/** The parts between the `|` of a source that stand in no group, and the groups in which others stand. */
const partsOf = (source) => {
  const bars = []
  const groups = []
  const open = []
  let inClass = false
  for (let at = 0; at < source.length; at++) {
    const unit = source[at]
    if (unit === "\\") at++
    else if (inClass) inClass = unit !== "]"
    else if (unit === "[") inClass = true
    else if (unit === "(") open.push(at)
    else if (unit === ")") {
      const start = open.pop()
      if (open.length === 0) groups.push([start, at])
    } else if (unit === "|" && open.length === 0) bars.push(at)
  }
  const edges = [-1, ...bars, source.length]
  const alternatives = edges.slice(1).map((end, at) => source.slice(edges[at] + 1, end))
  return { alternatives, groups }
}

const alternativesOf = (source) => {
  const { alternatives, groups } = partsOf(source)
  if (alternatives.length > 1) return alternatives.flatMap(alternativesOf)
  const expanded = groups.flatMap(([start, end]) => {
    const inner = source.slice(start + 1, end).replace(/^\?:/, "")
    if (inner.startsWith("?") || !partsOf(inner).alternatives.every((one) => /\w/.test(one))) return []
    const choices = alternativesOf(inner)
    if (choices.length < 2) return []
    return choices.map((choice) => `${source.slice(0, start)}(?:${choice})${source.slice(end + 1)}`)
  })
  return expanded.length > 0 ? expanded : [source]
}

/** Rules about imports see a file as `./name.ts` too. */
const candidates = [...files, ...new Set(files.map((file) => `./${basename(file)}`))]
const deadExpressions = (source) =>
  alternativesOf(source).filter((one) => {
    if (isExcused(one.replace(/^\^/, ""))) return false
    const expression = new RegExp(one)
    return !candidates.some((candidate) => expression.test(candidate))
  })

// The lists, by the kind of file that holds them. Each gives what it names, and what of that is dead.

const outcome = (patterns, dead) => ({ count: patterns.length, dead: patterns.flatMap(dead) })

/** Strings that stand at these keys, however deep. */
const jsonLists = (path, keys) => {
  const { config, error } = ts.parseConfigFileTextToJson(path, read(path))
  if (error) throw new Error("is no JSON")
  const found = []
  const seen = new Set()
  const visit = (value, isListed) => {
    if (typeof value === "string") isListed && found.push(value)
    else if (Array.isArray(value)) for (const one of value) visit(one, isListed)
    else if (value !== null && typeof value === "object")
      for (const [key, inner] of Object.entries(value)) {
        if (keys.includes(key)) seen.add(key)
        visit(inner, isListed || keys.includes(key))
      }
  }
  visit(config, false)
  const missing = keys.filter((key) => !seen.has(key))
  if (missing.length > 0) throw new Error(`has no list called ${missing.join(", ")}`)
  return outcome(found, (pattern) => deadGlobs(pattern, dirname(path)))
}

const textsIn = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(textsIn))

/** `dist/src/a.js` and its declarations come from `src/a.ts`; what else is in dist/ the build names. */
const manifestLists = () => {
  const { files: packed, bin, exports, scripts } = JSON.parse(read("package.json"))
  const sources = textsIn([packed, bin, exports]).map((path) =>
    path.replace(/^(?:\.\/)?dist\/(src\/.*?)(\.d\.ts|\.js)$/, "$1.ts")
  )
  const words = Object.values(scripts).flatMap(wordsOf)
  return outcome([...sources, ...words], (pattern) => deadGlobs(pattern))
}

/** What looks like a path in a command; what a variable begins or ends is not known before it runs. */
const wordsOf = (command) =>
  command
    .split(/[\s"'()=;]+/)
    .filter((word) => /^\.?[\w@][\w.@/*-]*$/.test(word) || /^\.\.?\/[\w.-]/.test(word))
    .filter((word) => word.includes("/") || /\.(json|[cm]?[jt]s)$/.test(word))

const commandLists = (path) => {
  const text = read(path)
    .replace(/^\s*#.*$/gm, "")
    .replaceAll("\\\n", " ")
  const filters = [...text.matchAll(/\bvitest run ([^\n"$|&;)]*)/g)].flatMap(([, words]) =>
    words.split(/\s+/).filter((word) => word !== "" && !word.startsWith("-"))
  )
  if (filters.length === 0) throw new Error("runs no tests by name")
  return outcome([...new Set([...wordsOf(text), ...filters])], (pattern) => deadGlobs(pattern))
}

const patternOf = (node) => node.text.slice(1, node.text.lastIndexOf("/")).replaceAll("\\/", "/")
const namesPath = (pattern) => /^\^\(?\.?\w+\/|\w\\\.ts\$/.test(pattern)
const looksLikePath = /^(?!node:)(\.\.?\/)*[@\w.-]+\/[\w@./*{},-]*$/

/**
 * In a script: texts that look like a path, regular expressions that begin with a folder or end with a file, and whatever else stands in
 * an array with one of them. What is imported is there, or the script would not start.
 */
const scriptLists = (path, { isTest = false } = {}) => {
  const text = read(path)
  // Most tests hold nothing that is looked for below, and parsing them all takes longer than everything else.
  if (isTest && !/\.startsWith\b|\^src/.test(text)) return { count: 0, dead: [] }
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const globs = new Map()
  const expressions = new Set()
  const isText = (node) => ts.isStringLiteralLike(node)
  const visit = (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return
    if (isTest) {
      const asks = ts.isCallExpression(node) && /\.startsWith$/.test(node.expression.getText())
      const [about] = asks ? node.arguments : []
      if (about && isText(about) && folders.has(about.text.split("/")[0])) globs.set(about.text, "")
      if (ts.isRegularExpressionLiteral(node) && /^\^src\/\W/.test(patternOf(node)))
        expressions.add(patternOf(node))
    } else if (isText(node) && looksLikePath.test(node.text))
      globs.set(node.text, node.text.startsWith("../") ? dirname(path) : "")
    else if (ts.isArrayLiteralExpression(node)) {
      const texts = node.elements.filter(isText).map(({ text }) => text)
      if (texts.some((text) => folders.has(text))) for (const text of texts) globs.set(text, "")
      const patterns = node.elements.filter(ts.isRegularExpressionLiteral).map(patternOf)
      if (patterns.some(namesPath)) for (const pattern of patterns) expressions.add(pattern)
    } else if (ts.isRegularExpressionLiteral(node) && namesPath(patternOf(node)))
      expressions.add(patternOf(node))
    ts.forEachChild(node, visit)
  }
  visit(source)
  const ofGlobs = outcome([...globs], ([glob, from]) => deadGlobs(glob, from))
  const ofExpressions = outcome([...expressions], deadExpressions)
  return { count: ofGlobs.count + ofExpressions.count, dead: [...ofGlobs.dead, ...ofExpressions.dead] }
}

/** The rules are read as they are used: paths in them are put together. */
const importRules = (path) => {
  const { forbidden, hotPath, wings } = createRequire(join(project, "package.json"))(`./${path}`)
  const sources = [...forbidden, ...hotPath].flatMap(({ from, to }) =>
    [from.path, from.pathNot, to.path, to.pathNot]
      .flat()
      .filter((one) => one !== undefined)
      // What a group of the other side matched: some name.
      .map((one) => one.replaceAll(/\$\d/g, "[^/]+"))
  )
  const ofFolders = outcome(
    wings.map((wing) => `src/${wing}`),
    (one) => deadGlobs(one)
  )
  const ofRules = outcome([...new Set(sources)], deadExpressions)
  return { count: ofFolders.count + ofRules.count, dead: [...ofFolders.dead, ...ofRules.dead] }
}

const named = ["events", "machines", "src", "tests", "docs", "examples", ".ci", ".github"]
const pageLists = (path) => {
  const paths = [...read(path).matchAll(/`([\w.-]+)(\/[^`\s<>…]*)`/g)].filter(([, first]) =>
    named.includes(first)
  )
  return outcome([...new Set(paths.map(([, first, rest]) => first + rest))], (pattern) => deadGlobs(pattern))
}

/** This one holds the exceptions. */
const self = ".ci/check-paths.mjs"
const scripts = files.filter((file) => /^(\.ci\/[^/]+\.mjs|[^/]+\.config\.ts)$/.test(file) && file !== self)
const tests = files.filter((file) => /^tests\/(?!support\/planted\/).*\.test\.ts$/.test(file))
/** What was released is told as it was. */
const pages = files.filter((file) => /^(docs\/.*|\.github\/[^/]+|(?!CHANGELOG)[^/]+)\.md$/.test(file))
const tsConfigs = files.filter((file) => /^tsconfig[^/]*\.json$/.test(file))

const lists = [
  ["knip.json", () => jsonLists("knip.json", ["entry", "project", "ignore"])],
  ["biome.json", () => jsonLists("biome.json", ["includes"])],
  ...tsConfigs.map((path) => [path, () => jsonLists(path, ["include", "exclude"])]),
  ["tsconfig.json", () => jsonLists("tsconfig.json", ["paths"])],
  ["package.json", manifestLists],
  [".ci/run", () => commandLists(".ci/run")],
  [".dependency-cruiser.cjs", () => importRules(".dependency-cruiser.cjs")],
  ["tests/support/slowFirst.ts", () => scriptLists("tests/support/slowFirst.ts")],
  ...scripts.map((path) => [path, () => scriptLists(path)]),
  ...tests.map((path) => [path, () => scriptLists(path, { isTest: true })]),
  ...pages.map((path) => [path, () => pageLists(path)])
]
/** Where a list may be empty: a script, a test or a page that names no path. */
const mayBeEmpty = new Set([...scripts, ...tests, ...pages].filter((path) => !/\.config\.ts$/.test(path)))

const problems = []
let looked = 0
for (const [path, look] of lists) {
  try {
    const { count, dead } = look()
    looked += count
    if (count === 0 && !mayBeEmpty.has(path)) problems.push(`${path}: no list was found in it`)
    for (const pattern of dead) problems.push(`${path}: nothing is there of: ${pattern}`)
  } catch (cause) {
    problems.push(`${path}: ${cause instanceof Error ? cause.message : cause}`)
  }
}
for (const exception of exceptions)
  if (!excused.has(exception))
    problems.push(`${self}: nobody needs the exception ${exception[0]} (${exception[1]})`)
for (const folder of named) if (!folders.has(folder)) problems.push(`${self}: nothing is there of: ${folder}`)

for (const problem of problems) stderr.write(`${problem}\n`)
if (problems.length > 0) exit(1)
stdout.write(`check-paths: ${looked} paths and patterns, each of them matches\n`)
