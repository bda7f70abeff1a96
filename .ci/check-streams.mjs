/**
 * Keeps standard output, standard error and the exit status in few hands: the edge, the noise capture, the
 * entrypoint and the command's renderer. It reads syntax trees, so comments and strings never count.
 *
 *     node .ci/check-streams.mjs [directory]     exit 1 and one line per place on any violation
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import { argv, exit, stderr, stdout } from "node:process"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const roots = ["events", "machines", "src"]
const sources = /\.[cm]?[jt]sx?$/

/** The only files that may touch the streams or the exit status. */
const owners = [
  /^src\/runtime\/Edge\.ts$/,
  /^src\/runtime\/noise\.ts$/,
  /^src\/programs\/entry\//,
  /^src\/programs\/cli\/main\.ts$/,
  /^src\/programs\/cli\/render\//
]

/** Where `stream-bypass: <reason>` in a comment, on the line or the one above, lets one place through. */
const bypassable = [/^src\/programs\/host\//, /^src\/programs\/cli\/launch\.ts$/]

/** Neither ownership nor a bypass can be given here, whatever the two lists above come to say. */
const pure = [/^events\//, /^machines\//, /^src\/agents\//, /^src\/hooks\//, /^src\/features\//]

const streams = new Set(["stdout", "stderr"])
const readable = new Set(["isTTY", "columns", "rows", "hasColors", "getColorDepth", "getWindowSize"])
const exits = new Set(["exit", "reallyExit", "abort"])
/** What of `process` writes to standard error by itself. */
const speaks = new Set(["emitWarning", "_rawDebug"])
const descriptorWrites = /^(write|writev|writeFile|appendFile)(Sync)?$/
const outputDevices = /^\/(dev\/(stdout|stderr|fd\/[12])|proc\/self\/fd\/[12])$/
const bypass = /stream-bypass:[ \t]*(\S.*)?/g

const matches = (patterns, path) => patterns.some((pattern) => pattern.test(path))

const listFiles = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : listFiles(path)
    return sources.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : []
  })

/** `a.b` and `a["b"]` are the same access. */
const accessed = (node) => {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return node.argumentExpression.text
  }
  return undefined
}

const isGlobal = (node, name, aliases) => {
  if (ts.isIdentifier(node)) return node.text === name || aliases.has(node.text)
  return (
    accessed(node) === name &&
    ts.isIdentifier(node.expression) &&
    ["globalThis", "global"].includes(node.expression.text)
  )
}

const assigns = (node) =>
  ts.isBinaryExpression(node.parent) &&
  node.parent.left === node &&
  node.parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
  node.parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment

/** What this file calls `process` besides `process`, and the constants that hold a descriptor number. */
const namesIn = (file) => {
  const processes = new Set()
  const descriptors = new Set()
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && /^(node:)?process$/.test(node.moduleSpecifier.text)) {
      const clause = node.importClause
      if (clause?.name) processes.add(clause.name.text)
      if (clause?.namedBindings && ts.isNamespaceImport(clause.namedBindings)) {
        processes.add(clause.namedBindings.name.text)
      }
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      if (isGlobal(node.initializer, "process", new Set())) processes.add(node.name.text)
      if (ts.isNumericLiteral(node.initializer) && /^[12]$/.test(node.initializer.text)) {
        descriptors.add(node.name.text)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { processes, descriptors }
}

const isDescriptor = (node, descriptors) =>
  node !== undefined &&
  ((ts.isNumericLiteral(node) && /^[12]$/.test(node.text)) ||
    (ts.isIdentifier(node) && descriptors.has(node.text)))

const callsOf = (node) => {
  if (!ts.isCallExpression(node)) return undefined
  return ts.isIdentifier(node.expression) ? node.expression.text : accessed(node.expression)
}

const memberOf = (node, name) =>
  node !== undefined && ts.isObjectLiteralExpression(node)
    ? node.properties.find((one) => ts.isPropertyAssignment(one) && one.name.getText() === name)?.initializer
    : undefined

/** Whether a child gets a stream of ours: its first is only read. */
const handsOn = (stdio, descriptors) => {
  const isOurs = (one) =>
    (ts.isStringLiteralLike(one) && one.text === "inherit") || isDescriptor(one, descriptors)
  return ts.isArrayLiteralExpression(stdio) ? stdio.elements.slice(1).some(isOurs) : isOurs(stdio)
}

const bannedName = (name) => streams.has(name) || exits.has(name) || speaks.has(name)

const importedLater = (node) =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
    ? node.arguments[0]
    : undefined

/** The pattern that this node breaks, if any. */
const broken = (node, { processes, descriptors }) => {
  if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) {
    const from = node.moduleSpecifier.text.replace(/^node:/, "")
    if (from === "console") return `import of ${from}`
    const bindings = node.importClause?.namedBindings
    if (from === "process" && bindings && ts.isNamedImports(bindings)) {
      const taken = bindings.elements.map((one) => (one.propertyName ?? one.name).text).find(bannedName)
      if (taken) return `process.${taken}`
    }
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name) && node.initializer) {
    if (isGlobal(node.initializer, "process", processes)) {
      const taken = node.name.elements.map((one) => (one.propertyName ?? one.name).getText()).find(bannedName)
      if (taken) return `process.${taken}`
    }
  }
  const member = accessed(node)
  if (member !== undefined && isGlobal(node.expression, "process", processes)) {
    if (exits.has(member) || speaks.has(member)) return `process.${member}`
    if (member === "exitCode" && assigns(node)) return "process.exitCode ="
    if (streams.has(member)) {
      const next = accessed(node.parent)
      if (node.parent.expression !== node || next === undefined || !readable.has(next)) {
        return next === undefined ? `process.${member}` : `process.${member}.${next}`
      }
    }
  }
  if (isGlobal(node, "console", new Set())) {
    const named = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
    const key = ts.isPropertyAssignment(node.parent) && node.parent.name === node
    const next = node.parent.expression === node ? accessed(node.parent) : undefined
    const type = ts.isTypeQueryNode(node.parent)
    if (!named && !key && !type) return next === undefined ? "console" : `console.${next}`
  }
  if (member !== undefined && ts.isIdentifier(node.expression) && node.expression.text === "Console") {
    if (/^(log|error|warn|info|debug|trace|dir|table)$/.test(member)) return `Console.${member}`
  }
  if (ts.isCallExpression(node)) {
    const callee = ts.isIdentifier(node.expression) ? node.expression.text : accessed(node.expression)
    const onFs = ts.isIdentifier(node.expression) || /fs$/i.test(node.expression.expression?.getText() ?? "")
    if (callee !== undefined && descriptorWrites.test(callee) && (onFs || callee.endsWith("Sync"))) {
      if (isDescriptor(node.arguments[0], descriptors)) return `${callee}(${node.arguments[0].getText()})`
    }
  }
  const later = importedLater(node)
  if (later !== undefined && ts.isStringLiteralLike(later) && /^(node:)?(process|console)$/.test(later.text))
    return `import of ${later.text.replace(/^node:/, "")}`
  if (callsOf(node) === "createWriteStream" && isDescriptor(memberOf(node.arguments[1], "fd"), descriptors))
    return `createWriteStream on ${memberOf(node.arguments[1], "fd").getText()}`
  if (
    ts.isPropertyAssignment(node) &&
    node.name.getText() === "stdio" &&
    handsOn(node.initializer, descriptors)
  )
    return `stdio: ${node.initializer.getText()}`
  if (ts.isStringLiteralLike(node) && outputDevices.test(node.text)) return node.text
  return undefined
}

/** Line → reason of every bypass comment. The scanner finds comments, so a string cannot pose as one. */
const bypassesIn = (text) => {
  const found = new Map()
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text)
  const lineAt = (offset) => text.slice(0, offset).split("\n").length
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const comment =
      token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia
    if (!comment) continue
    for (const match of scanner.getTokenText().matchAll(bypass)) {
      found.set(lineAt(scanner.getTokenStart() + match.index), match[1]?.replace(/\*\/$/, "").trim() ?? "")
    }
  }
  return found
}

const violationsIn = (path, text) => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const names = namesIn(file)
  const bypasses = bypassesIn(text)
  const mayBypass = matches(bypassable, path) && !matches(pure, path)
  const owner = matches(owners, path) && !matches(pure, path)
  const used = new Set()
  const violations = []
  const visit = (node) => {
    const pattern = owner ? undefined : broken(node, names)
    if (pattern !== undefined) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      const marked = [line, line - 1].find((at) => bypasses.has(at))
      if (mayBypass && marked !== undefined && bypasses.get(marked) !== "") used.add(marked)
      else violations.push({ line, pattern })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  for (const [line, reason] of bypasses) {
    if (!mayBypass) violations.push({ line, pattern: "stream-bypass is not possible in this file" })
    else if (reason === "") violations.push({ line, pattern: "stream-bypass needs a reason" })
    else if (!used.has(line)) violations.push({ line, pattern: "stream-bypass that lets nothing through" })
  }
  return violations.sort((a, b) => a.line - b.line)
}

const project = resolve(argv[2] ?? join(fileURLToPath(import.meta.url), "..", ".."))
const files = roots
  .map((root) => join(project, root))
  .filter((root) => statSync(root, { throwIfNoEntry: false })?.isDirectory())
  .flatMap(listFiles)
const violations = files.flatMap((file) => {
  const path = relative(project, file).split(sep).join("/")
  return violationsIn(path, readFileSync(file, "utf8")).map(
    ({ line, pattern }) => `${path}:${line}: ${pattern}`
  )
})

for (const violation of violations) stderr.write(`${violation}\n`)
if (files.length === 0) stderr.write(`check-streams: no source file found in ${project}\n`)
if (violations.length > 0) {
  stderr.write(
    "check-streams: only the edge, the entrypoint and the renderer write or exit (CONTRIBUTING.md)\n"
  )
}
if (files.length === 0 || violations.length > 0) exit(1)
stdout.write(`check-streams: ${files.length} files, no violation\n`)
