/**
 * Holds the list of everything that starts a program, a process or a thread: docs/reference/spawns.md. A place that is not on
 * the list fails, and so does a line of the list that nothing in the sources stands for. It reads syntax trees, so comments never count.
 *
 *     node .ci/check-spawns.mjs [directory] [smallest number of files to look at]
 */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import { argv, exit, stderr, stdout } from "node:process"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const roots = ["events", "machines", "src"]
const list = "docs/reference/spawns.md"
const modules = /^(node:)?(child_process|worker_threads|cluster)$/
/** Our own ways to a child process. */
const wrappers = new Map([
  ["runCommand", /\/runCommand\.ts$/],
  ["collect", /\/launch\.ts$/],
  ["git", /\/trust\/git\.ts$|^\.\/git\.ts$/]
])
const loaders = new Set(["getBuiltinModule", "require"])
const onProcess = new Set(["execve", "dlopen", "binding", "_linkedBinding"])
const inC =
  /\b(v?fork|clone|exec(?:l|le|lp|v|ve|vp|vpe|veat)|fexecve|posix_spawnp?|system|popen|dlopen)\s*\(/g
/** A script, a command line for somebody's shell, or a module that starts programs in somebody's process. */
const shellScript = /^#!\/\S[^\n]*\n/
const shellText = /(^|[\s;&|])exec (['"$]|$)|\bfrom "node:child_process"/

const listFiles = (directory) =>
  readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : listFiles(path)
    return /\.([cm]?[jt]sx?|c|h)$/.test(entry.name) && !entry.name.endsWith(".d.ts") ? [path] : []
  })

const textOf = (node) => (node && ts.isStringLiteralLike(node) ? node.text : undefined)
const nameOf = (node) =>
  ts.isIdentifier(node) ? node.text : ts.isPropertyAccessExpression(node) ? node.name.text : undefined

/** Ways to a process, each of which takes options. On Windows one without `windowsHide` opens a window of its own, amid the work of an agent. */
const processes = new Set(["exec", "execFile", "execFileSync", "execSync", "fork", "spawn", "spawnSync"])

/** Whether the call that a name stands in says so, in options that are written there. */
const isHidden = (name) => {
  const callee = ts.isPropertyAccessExpression(name.parent) && name.parent.name === name ? name.parent : name
  const call = callee.parent
  return (
    ts.isCallExpression(call) &&
    call.expression === callee &&
    call.arguments.some(
      (one) =>
        ts.isObjectLiteralExpression(one) &&
        one.properties.some(
          (property) =>
            ts.isPropertyAssignment(property) &&
            property.name.getText() === "windowsHide" &&
            property.initializer.kind === ts.SyntaxKind.TrueKeyword
        )
    )
  )
}

/** `await import("x")`, `require("x")`, `process.getBuiltinModule("x")`: the module, or null where it is not said. */
const loadedBy = (node) => {
  if (ts.isAwaitExpression(node) || ts.isParenthesizedExpression(node)) return loadedBy(node.expression)
  if (!ts.isCallExpression(node)) return undefined
  const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword
  const isLoader = loaders.has(nameOf(node.expression) ?? "")
  if (!isImport && !isLoader) return undefined
  return textOf(node.arguments[0]) ?? (isLoader ? null : undefined)
}

/** Names by which a file calls what starts something: of functions, and of whole modules. */
const bindingsIn = (file) => {
  const functions = new Map()
  const whole = new Set()
  const bind = (name) => {
    if (ts.isIdentifier(name)) whole.add(name.text)
    else
      for (const one of name.elements)
        if (ts.isIdentifier(one.name)) functions.set(one.name.text, (one.propertyName ?? one.name).text)
  }
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && !node.importClause?.isTypeOnly) {
      const from = node.moduleSpecifier.text
      const named = node.importClause?.namedBindings
      const isModule = modules.test(from)
      if (isModule && node.importClause?.name) whole.add(node.importClause.name.text)
      if (isModule && named && ts.isNamespaceImport(named)) whole.add(named.name.text)
      if (named && ts.isNamedImports(named))
        for (const one of named.elements) {
          const original = (one.propertyName ?? one.name).text
          if (one.isTypeOnly) continue
          if (isModule || wrappers.get(original)?.test(from)) functions.set(one.name.text, original)
        }
    }
    if (ts.isVariableDeclaration(node) && node.initializer && modules.test(loadedBy(node.initializer) ?? ""))
      bind(node.name)
    // Handlers start programs by a service.
    if (
      ts.isVariableDeclaration(node) &&
      ts.isObjectBindingPattern(node.name) &&
      nameOf(node.initializer ?? node.name) === "services"
    )
      for (const one of node.name.elements)
        if ((one.propertyName ?? one.name).getText() === "run" && ts.isIdentifier(one.name))
          functions.set(one.name.text, "services.run")
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { functions, whole }
}

/** Where a name stands for a value that is used, and not for a declaration of it. */
const isUse = (node) => {
  const { parent } = node
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return false
  if (ts.isBindingElement(parent) || ts.isTypeReferenceNode(parent) || ts.isTypeQueryNode(parent))
    return false
  if (ts.isPropertyAccessExpression(parent) && parent.name === node) return false
  if (
    (ts.isPropertyAssignment(parent) || ts.isMethodSignature(parent) || ts.isPropertySignature(parent)) &&
    parent.name === node
  )
    return false
  if (ts.isVariableDeclaration(parent) && parent.name === node) return false
  return !(ts.isParameter(parent) && parent.name === node)
}

const inTypeScript = (path, text) => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const { functions, whole } = bindingsIn(file)
  const found = []
  const visit = (node) => {
    const at = () => file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
    if (ts.isIdentifier(node) && isUse(node)) {
      if (functions.has(node.text))
        found.push({ kind: functions.get(node.text), line: at(), isHidden: isHidden(node) })
      else if (whole.has(node.text)) {
        const member = ts.isPropertyAccessExpression(node.parent) ? node.parent.name : undefined
        found.push({
          kind: member?.text ?? "a whole module",
          line: at(),
          isHidden: member !== undefined && isHidden(member)
        })
      }
    }
    if (
      ts.isPropertyAccessExpression(node) &&
      node.name.text === "run" &&
      nameOf(node.expression) === "services"
    )
      found.push({ kind: "services.run", line: at() })
    const loaded = loadedBy(node)
    if (loaded === null) found.push({ kind: "a module whose name is not written out", line: at() })
    if (modules.test(loaded ?? "") && ts.isPropertyAccessExpression(node.parent))
      found.push({ kind: node.parent.name.text, line: at(), isHidden: isHidden(node.parent.name) })
    if (
      ts.isPropertyAccessExpression(node) &&
      onProcess.has(node.name.text) &&
      nameOf(node.expression) === "process"
    )
      found.push({ kind: `process.${node.name.text}`, line: at() })
    const isTemplate = ts.isTemplateExpression(node)
    const literal = isTemplate ? node.head.text : textOf(node)
    // Options of the shell may stand in a place of its first line.
    const begins = isTemplate ? `${literal}…${node.templateSpans[0]?.literal.text}` : literal
    if (shellText.test(literal ?? "") || shellScript.test(begins ?? ""))
      found.push({ kind: "shell", line: at() })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

const inClient = (text) => {
  const blank = (part) => part.replace(/[^\n]/g, " ")
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"/g, blank)
  return [...code.matchAll(inC)].map((match) => ({
    kind: match[1],
    line: code.slice(0, match.index).split("\n").length
  }))
}

const project = resolve(argv[2] ?? join(fileURLToPath(import.meta.url), "..", ".."))
const floor = Number(argv[3] ?? 300)
const files = roots
  .map((root) => join(project, root))
  .filter((root) => statSync(root, { throwIfNoEntry: false })?.isDirectory())
  .flatMap(listFiles)

/** `path kind` → the lines. */
const found = new Map()
const shown = []
for (const file of files) {
  const path = relative(project, file).split(sep).join("/")
  const text = readFileSync(file, "utf8")
  for (const { isHidden, kind, line } of /\.[ch]$/.test(path) ? inClient(text) : inTypeScript(path, text)) {
    const key = `${path} ${kind}`
    found.set(key, [...(found.get(key) ?? []), line])
    if (isHidden === false && processes.has(kind))
      shown.push(`${path}:${line}: ${kind} is without windowsHide: true`)
  }
}

/** Rows such as: | `src/a.ts` | `spawn` ×2 | what | why | */
const listed = new Map()
const page = statSync(join(project, list), { throwIfNoEntry: false })
  ? readFileSync(join(project, list), "utf8")
  : ""
for (const [, path, kind, times, what, why] of page.matchAll(
  /^\| `([^`]+)` \| `([^`]+)`(?: ×(\d+))? \| ([^|]*) \| ([^|]*) \|$/gm
)) {
  const isWhole = what.trim() !== "" && why.trim() !== ""
  listed.set(`${path} ${kind}`, { times: Number(times ?? 1), isWhole })
}

const problems = [...shown]
for (const [key, lines] of found) {
  const [path] = key.split(" ")
  const kind = key.slice(path.length + 1)
  const row = listed.get(key)
  if (row === undefined) problems.push(`${path}:${lines[0]}: ${kind} is not in ${list}`)
  else if (row.times !== lines.length)
    problems.push(`${path}:${lines.at(-1)}: ${kind} stands here ×${lines.length}, in ${list} ×${row.times}`)
  else if (!row.isWhole) problems.push(`${path}:${lines[0]}: ${kind} has no reason in ${list}`)
}
for (const key of listed.keys()) if (!found.has(key)) problems.push(`${list}: nothing is there of: ${key}`)

for (const problem of problems) stderr.write(`${problem}\n`)
const starts = [...found.values()].reduce((sum, lines) => sum + lines.length, 0)
const isBlind = files.length < floor || starts === 0
if (isBlind)
  stderr.write(
    `check-spawns: looked at ${files.length} files, expected at least ${floor}, and found ${starts} starts\n`
  )
if (problems.length > 0 || isBlind) exit(1)
stdout.write(`check-spawns: ${files.length} files, ${starts} starts, all of them listed\n`)
