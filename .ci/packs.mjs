/**
 * Programs that have much in common, written so that it lies in the package once: esbuild splits them into chunks, and the chunks of one
 * set of readers are put into one file, a pack. In a pack each chunk is a function, called when the first asks for it: what a program
 * never asks for is neither run nor kept compiled.
 */
import { createHash } from "node:crypto"
import { basename, join } from "node:path"
import { build } from "esbuild"
import ts from "typescript"

/** Names that no minified chunk has. */
const load = "__chunk"
const later = "__later"

const quoted = JSON.stringify

const isOurs = (specifier) => /^\.\//.test(specifier)

const bindings = (elements, separator, from) =>
  elements
    .map(({ name, propertyName }) => {
      const [outer, inner] = from === "import" ? [propertyName ?? name, name] : [name, propertyName ?? name]
      return outer.text === inner.text ? inner.text : `${outer.text}${separator}${inner.text}`
    })
    .join(",")

/** `import{a as b}from"./x.js"` → `{a:b}=…`. Null where nothing is taken: modules do nothing by being imported. */
const imported = ({ importClause, moduleSpecifier }, keyOf) => {
  if (importClause === undefined) return null
  const { text } = moduleSpecifier
  const value = isOurs(text) ? `${load}(${quoted(keyOf(text))})` : `require(${quoted(text)})`
  const { name, namedBindings } = importClause
  const parts = []
  // All that is imported whole is Node's own or CommonJS: its default is what it exports.
  if (name !== undefined) parts.push(`${name.text}=${value}`)
  if (namedBindings !== undefined && ts.isNamespaceImport(namedBindings))
    parts.push(`${namedBindings.name.text}=${value}`)
  else if (namedBindings !== undefined)
    parts.push(`{${bindings(namedBindings.elements, ":", "import")}}=${value}`)
  return parts.join(",")
}

/** What an assignment, a step or a loop may change. */
const changed = function* (node) {
  const { kind } = node
  const isAssigned =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment
  if (isAssigned) yield node.left
  if (kind === ts.SyntaxKind.PrefixUnaryExpression || kind === ts.SyntaxKind.PostfixUnaryExpression) {
    const { operator } = node
    if (operator === ts.SyntaxKind.PlusPlusToken || operator === ts.SyntaxKind.MinusMinusToken)
      yield node.operand
  }
  if (ts.isForInStatement(node) || ts.isForOfStatement(node)) yield node.initializer
}

const namesIn = function* (node) {
  if (ts.isIdentifier(node)) yield node
  else if (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node))
    for (const child of node.getChildren()) yield* namesIn(child)
}

/** What a chunk exports is taken by value, so nothing may change it afterwards. */
const checkConstant = (checker, file) => {
  const exported = new Set(
    file.statements
      .filter(ts.isExportDeclaration)
      .flatMap(({ exportClause }) =>
        exportClause.elements.map((one) => checker.getExportSpecifierLocalTargetSymbol(one))
      )
  )
  if (exported.size === 0) return
  const look = (node) => {
    for (const target of changed(node))
      for (const name of namesIn(target))
        if (exported.has(checker.getSymbolAtLocation(name)))
          throw new Error(
            `${file.fileName} changes ${name.text}, which it exports: importers would not see it`
          )
    ts.forEachChild(node, look)
  }
  look(file)
}

/** A chunk as the body of a function that returns what it exports. */
const asFunction = (file, keyOf) => {
  const { text } = file
  const edits = []
  const taken = []
  const given = []
  for (const statement of file.statements) {
    const span = [statement.getStart(file), statement.end]
    if (ts.isImportDeclaration(statement)) {
      const one = imported(statement, keyOf)
      if (one !== null) taken.push(one)
      edits.push([...span, ""])
    } else if (ts.isExportDeclaration(statement)) {
      if (statement.moduleSpecifier !== undefined) throw new Error(`${file.fileName} passes an export on`)
      given.push(bindings(statement.exportClause.elements, ":", "export"))
      edits.push([...span, ""])
    } else if (
      ts.isExportAssignment(statement) ||
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    )
      throw new Error(`${file.fileName}: an export of a kind that esbuild did not use to write`)
  }
  const look = (node) => {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [what] = node.arguments
      if (ts.isStringLiteral(what) && isOurs(what.text))
        edits.push([node.getStart(file), node.end, `${later}(${quoted(keyOf(what.text))})`])
    }
    ts.forEachChild(node, look)
  }
  look(file)
  let body = text
  for (const [from, to, by] of edits.sort((a, b) => b[0] - a[0]))
    body = body.slice(0, from) + by + body.slice(to)
  body = body.replace(/^[;\s]+|\s+$/g, "")
  const head = taken.length === 0 ? "" : `const ${taken.join(",")};`
  return `(${load},${later})=>{${head}${body}${/[;}]$/.test(body) ? "" : ";"}return{${given.join(",")}}}`
}

/** Who can come to be loaded once `from` is. */
const reach = (outputs, from, { lazily }) => {
  const seen = new Set()
  const visit = (file) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const { external, kind, path } of outputs[file].imports)
      if (!external && path in outputs && (lazily || kind === "import-statement")) visit(path)
  }
  visit(from)
  return seen
}

/** Starts a program. Its packs are of one build, or it says so: a package may be replaced while something of it runs. */
const started = ({ body, eager, entry, id, name }) => `"use strict";
const packs={${quoted(name)}:{${body}}},made={};
const packOf=(name)=>{const pack=require("./"+name+".cjs");if(pack.id!==${quoted(id)})throw new Error("hooktape was replaced while this started or ran: start it again");return pack};
const ${load}=(key)=>{const name=key.slice(0,key.indexOf("/"));return made[key]??=(packs[name]??=packOf(name))[key](${load},${later})};
const ${later}=(key)=>Promise.resolve().then(()=>${load}(key));
for(const name of ${quoted(eager)})packs[name]=packOf(name);
${load}(${quoted(entry)});
`

const programOf = (texts) => {
  const host = ts.createCompilerHost({})
  const textOf = (name) => texts.get(basename(name))
  return ts.createProgram(
    [...texts.keys()],
    {
      allowJs: true,
      noLib: true,
      noResolve: true,
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext
    },
    {
      ...host,
      fileExists: (name) => textOf(name) !== undefined,
      readFile: textOf,
      getSourceFile: (name, target) => {
        const text = textOf(name)
        return text === undefined ? undefined : ts.createSourceFile(name, text, target, true)
      }
    }
  )
}

/**
 * `programs`: name → module. `packOf({ early, reached })` names the pack of a chunk, from the programs that may come to load it and
 * those of `firsts` (name → module) that always do. A pack with the name of a program stands in its file. `eager`: name → the packs that
 * are read as the program starts. Returns texts by file name, and esbuild's account.
 */
export const packed = async ({ eager, firsts, head, options, packOf, programs, root }) => {
  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    bundle: true,
    entryPoints: programs,
    format: "esm",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    minify: true,
    outdir: root,
    platform: "node",
    splitting: true,
    target: "node20",
    write: false,
    ...options
  })
  const { outputs } = metafile
  const texts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  const id = createHash("sha256")
    .update([...texts.values()].join(""))
    .digest("hex")
    .slice(0, 12)
  const entryOf = (module) => {
    const isIt = ([, { entryPoint }]) => entryPoint !== undefined && join(root, entryPoint) === module
    const [file] = Object.entries(outputs).find(isIt) ?? []
    if (file === undefined) throw new Error(`${module} is no chunk of its own`)
    return file
  }
  const reachOf = (modules, how) =>
    Object.entries(modules).map(([name, module]) => [name, reach(outputs, entryOf(module), how)])
  const reached = reachOf(programs, { lazily: true })
  const early = reachOf(firsts, { lazily: false })
  const among = (all, file) => all.filter(([, files]) => files.has(file)).map(([name]) => name)

  const packs = new Map(Object.keys(programs).map((name) => [name, []]))
  const keys = new Map()
  for (const file of Object.keys(outputs)) {
    const pack = packOf({ early: among(early, file), reached: among(reached, file) })
    const chunks = packs.get(pack) ?? []
    keys.set(basename(file), `${pack}/${chunks.length}`)
    packs.set(pack, [...chunks, basename(file)])
  }
  const keyOf = (specifier) => keys.get(basename(specifier))

  const program = programOf(texts)
  const checker = program.getTypeChecker()
  const functionOf = (name) => {
    const file = program.getSourceFile(name)
    checkConstant(checker, file)
    return asFunction(file, keyOf)
  }
  const written = ([pack, chunks]) => {
    const body = chunks.map((name) => `${quoted(keyOf(name))}:${functionOf(name)}`).join(",\n")
    const entry = programs[pack] && keyOf(entryOf(programs[pack]))
    const text =
      entry === undefined
        ? `"use strict";module.exports={id:${quoted(id)},${body}};\n`
        : started({ body, eager: eager[pack], entry, id, name: pack })
    return [
      `${pack}.cjs`,
      text.includes(head.name) ? text.replace('"use strict";', `"use strict";${head.text};`) : text
    ]
  }
  return { files: new Map([...packs].map(written)), metafile }
}
