/** Turns the sources into dist/: modules with declarations for importers, one bundled file for the command. */
import { isAscii } from "node:buffer"
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createRequire, isBuiltin } from "node:module"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"
import ts from "typescript"
import {
  commandPacks,
  compiledFrom,
  declaredCommands,
  external,
  moduleUrl,
  ownUrl,
  sqliteBrought
} from "./commandPacks.mjs"
import { placeAddons } from "./native.mjs"
import { compileClient, compileStarter, crossPackages } from "./programs.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")

const parts = ["events", "machines", "src"]
/** Programs in C. */
const natives = ["src/programs/client", "src/programs/starter"]
/** What starts, each bundled into one file. */
const front = "src/programs/cli/main.ts"
const command = "src/programs/cli/command.ts"
const loader = "src/programs/entry/load.ts"
const nodeLauncher = "src/programs/entry/nodeLauncher.ts"
const host = "src/programs/host/main.ts"
const hostFront = "src/programs/host/front.ts"
const handlers = "src/programs/host/handlersMain.ts"
const rerun = "src/tools/replay/rerunChild.ts"
const page = "src/programs/inspector"
const externalHook = "src/runtime/externalHook.ts"
const plugins = "src/tools/plugins/pluginFiles.ts"
const shippedHooks = "src/features/defaults.ts"

const require = createRequire(import.meta.url)

/** Built aside and moved in at the end: a failed or a concurrent build never leaves half a dist/. */
const cache = join(root, "node_modules", ".cache", "hooktape")
const staging = join(cache, `dist-${process.pid}`)
const discarded = join(cache, `old-${process.pid}`)

const compile = () => {
  const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc")
  const args = [tsc, "-p", "tsconfig.build.json", "--outDir", staging]
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" })
  if (status !== 0) throw new Error("the sources do not compile")
}

const compiled = () =>
  readdirSync(staging, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js"))
    .map((name) => join(staging, name))

const asciiOf = (text) =>
  text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

const escapedExpression = (file, literal) => {
  if (/(?<!\\)(?:\\\\)*\\[\u0080-\uffff]/.test(literal))
    throw new Error(`${file}: no backslash belongs before what is not ASCII: ${literal}`)
  return asciiOf(literal)
}

const isRaw = (node) => ts.isTaggedTemplateExpression(node) && node.tag.getText() === "String.raw"

/** The pieces of a template, and what stands around each: a backquote, or a brace of what is put in. */
const piecesOf = ({ template }) =>
  template.kind === ts.SyntaxKind.NoSubstitutionTemplateLiteral
    ? [[template, 1]]
    : [
        [template.head, 2],
        ...template.templateSpans.map(({ literal }) => [literal, ts.isTemplateTail(literal) ? 1 : 2])
      ]

/** As a template without a tag, which says the same with its backslashes doubled. */
const untagged = (node) => [
  [node.tag.getStart(), node.tag.end, ""],
  ...piecesOf(node).map(([piece, behind]) => {
    const [from, to] = [piece.getStart() + 1, piece.end - behind]
    const text = piece.getSourceFile().text.slice(from, to)
    return [from, to, asciiOf(text.replace(/[\\`]|\$(?=\{)/g, "\\$&"))]
  })
]

/**
 * esbuild writes everything in ASCII but regular expressions and raw templates. Without these, every entrypoint that it makes of our
 * files is ASCII, which V8 reads without decoding and keeps in half the space.
 */
const escapeExpressions = () => {
  for (const file of compiled()) {
    const text = readFileSync(file, "utf8")
    if (isAscii(Buffer.from(text))) continue
    const edits = []
    const look = (node) => {
      if (ts.isRegularExpressionLiteral(node))
        edits.push([node.getStart(), node.end, escapedExpression(file, node.text)])
      if (isRaw(node)) edits.push(...untagged(node))
      ts.forEachChild(node, look)
    }
    look(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true))
    let escaped = text
    for (const [from, to, by] of edits.sort((a, b) => b[0] - a[0]))
      escaped = escaped.slice(0, from) + by + escaped.slice(to)
    writeFileSync(file, escaped)
  }
}

/** What is read at run time but is no TypeScript: schemas, recordings, templates. */
const copyAssets = () => {
  for (const part of parts)
    cpSync(join(root, part), join(staging, part), {
      recursive: true,
      filter: (path) =>
        !/\.tsx?$/.test(path) && ![...natives, page].some((folder) => path.startsWith(join(root, folder)))
    })
}

/** What `ws` and `pg` look for and do without. */
const optional = ["bufferutil", "utf-8-validate", "pg-native"]

const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

/** `effect` of `effect/Micro`, `@effect/sql` of `@effect/sql/SqlClient`. */
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]

/** What is not bundled has to be there where the package is installed. */
const checkPackages = ({ inputs }, brought = []) => {
  for (const [file, { imports }] of Object.entries(inputs)) {
    const missing = imports.find(
      ({ external, path }) =>
        external &&
        // esbuild's name for a call of "require" that it leaves as it is.
        path !== "<runtime>" &&
        !isBuiltin(path) &&
        !path.startsWith("node:") &&
        !optional.includes(path) &&
        !brought.includes(packageOf(path)) &&
        !(packageOf(path) in dependencies)
    )
    if (missing !== undefined)
      throw new Error(`${file} imports ${missing.path}, which is neither bundled nor among the dependencies`)
  }
}

/** Folders of the packages of which something went into a bundle. */
const bundledPackages = new Set()

const noteBundled = ({ inputs }) => {
  for (const input of Object.keys(inputs)) {
    const [folder] = /^.*node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+/.exec(input) ?? []
    if (folder !== undefined) bundledPackages.add(folder)
  }
}

const bundled = async (entry, outfile, options) => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    external,
    metafile: true,
    logLevel: "warning",
    legalComments: "none",
    ...options
  })
  checkPackages(metafile)
  noteBundled(metafile)
}

const knowsItsPlace = {
  define: { "import.meta.url": moduleUrl },
  banner: { js: `const ${moduleUrl} = ${ownUrl}` }
}

/** CommonJS, which Node starts sooner than an ES module, and which a code cache can be kept of. It knows where it lies. */
const bundleFront = (source, name, plugins = []) =>
  bundled(join(staging, compiledFrom(source)), join(staging, name), {
    format: "cjs",
    minify: true,
    plugins,
    ...knowsItsPlace
  })

const bundleFronts = async () => {
  await bundleFront(front, "cli.js", [await declaredCommands(staging)])
  chmodSync(join(staging, "cli.js"), 0o755)
  await bundleFront(hostFront, "host.cjs")
  // Each takes from its name what it is to load.
  for (const name of ["worker.cjs", "thread.cjs"]) cpSync(join(staging, "host.cjs"), join(staging, name))
}

/** `cli.js` is CommonJS, and the modules that users' builds take in are not. */
const writeKinds = () => {
  const write = (folder, kind) => writeFileSync(join(folder, "package.json"), `${JSON.stringify(kind)}\n`)
  write(staging, { type: "commonjs" })
  for (const part of parts) write(join(staging, part), { type: "module", sideEffects: false })
}

/** What the launcher starts on every hook: copied into the state directory, so one file that needs no package around it. */
const bundleLoader = (entry, outfile) =>
  bundled(entry, outfile, { format: "cjs", external: [], minify: true })

/** For hooks that ask the log: what they are built into holds no library. */
const bundleSqlite = async () =>
  bundled("better-sqlite3", join(staging, "sqlite.cjs"), {
    format: "cjs",
    minify: true,
    plugins: [await sqliteBrought(root, staging)],
    ...knowsItsPlace
  })

/**
 * The command, the host, and what runs handlers. What starts while a package is replaced, and runs for long, reads all it may need as it
 * starts; who runs keeps the text in memory.
 */
const bundlePrograms = async () => {
  const at = (source) => join(staging, compiledFrom(source))
  const { files, metafile } = await commandPacks({
    root,
    compiled: staging,
    programs: { command: at(command), serving: at(host), handlers: at(handlers) },
    eager: { serving: ["common", "shared", "doors"], handlers: ["common"] }
  })
  for (const [name, text] of files) writeFileSync(join(staging, name), text)
  checkPackages(metafile)
  noteBundled(metafile)
}

/** A small program of its own beside the command. */
const bundleProgram = (entry, outfile) => bundled(entry, outfile, { format: "cjs", minify: true })

const toolOf = (name) => import(pathToFileURL(join(staging, "src", "tools", "build", name)).href)

/** As it will be once the staging folder is in its place. */
const stagedCore = async () => {
  const { findCore } = await toolOf("core.js")
  return JSON.parse(
    JSON.stringify(findCore()).replaceAll(JSON.stringify(join(root, "dist")).slice(1, -1), staging)
  )
}

/** What bundles of every build share, whole: it needs nothing that is installed beside it. Those of the shipped hooks lie there too. */
const bundleShared = async () => {
  const { bundleCore } = await toolOf("coreFile.js")
  const { files, metafile } = await bundleCore(await stagedCore())
  mkdirSync(join(staging, "shipped"))
  await bundled(join(staging, compiledFrom(externalHook)), join(staging, "shipped", "external-hook.cjs"), {
    format: "cjs"
  })
  for (const [name, text] of files) writeFileSync(join(staging, "shipped", name), text)
  noteBundled(metafile)
}

/** Users' builds take in some of our modules as they are: what those import is bundled there, from the dependencies. */
const checkModules = async () => {
  const { index, report, runEffect } = await stagedCore()
  const modules = [index, report, runEffect]
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: modules,
    outdir: join(staging, "none"),
    bundle: true,
    write: false,
    metafile: true,
    packages: "external",
    platform: "node",
    format: "esm",
    logLevel: "warning"
  })
  // Hooks that return Effects bring the library themselves.
  checkPackages(metafile, ["effect"])
}

/** The page of the inspector: one document, one style sheet, scripts by view. It is served as it lies there. */
const bundlePage = async () => {
  const to = join(staging, "inspector")
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { app: join(page, "main.tsx") },
    outdir: to,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    charset: "utf8",
    metafile: true,
    logLevel: "warning",
    legalComments: "none"
  })
  noteBundled(metafile)
  await build({
    absWorkingDir: root,
    entryPoints: [join(page, "app.css")],
    outfile: join(to, "app.css"),
    bundle: true,
    minify: true,
    logLevel: "warning"
  })
  const document = readFileSync(join(root, page, "index.html"), "utf8")
  const preloads = loadedWith(metafile, join(page, "main.tsx")).map(
    (name) => `<link rel="modulepreload" href="/${name}">\n`
  )
  writeFileSync(join(to, "index.html"), document.replace("</head>", `${preloads.join("")}</head>`))
}

/** What a script imports at its start, and that in turn: asked for at once, rather than each when the one before was read. */
const loadedWith = ({ outputs }, entry) => {
  const [first] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  const found = new Set([first])
  for (const output of found)
    for (const { kind, path } of outputs[output].imports) if (kind === "import-statement") found.add(path)
  return [...found].slice(1).map((path) => basename(path))
}

/** A file of its own, or a part of the page that the package brings. */
const licenceIn = (folder) => {
  const names = readdirSync(folder)
  const file = names.find((one) => /^licen[cs]e(\.|$)/i.test(one))
  if (file !== undefined) return readFileSync(join(folder, file), "utf8")
  const page = names.find((one) => /^readme(\.|$)/i.test(one))
  if (page === undefined) return undefined
  return /^#+ *licen[cs]e *\n([^#]*permission is hereby granted[^#]*)/im.exec(
    readFileSync(join(folder, page), "utf8")
  )?.[1]
}

/** Their licences ask for it. */
const writeLicences = () => {
  const texts = [...bundledPackages].sort().map((folder) => {
    const at = join(root, folder)
    const { license, name, version } = JSON.parse(readFileSync(join(at, "package.json"), "utf8"))
    const text = licenceIn(at)
    if (text === undefined) throw new Error(`${name} is bundled and comes without the text of its licence`)
    return `${name} ${version} (${license})\n\n${text.trim()}\n`
  })
  // Linked into what is compiled here, and no package.
  texts.push(readFileSync(join(root, ".ci/licenses/musl.txt"), "utf8"))
  writeFileSync(join(staging, "third-party-licenses.txt"), texts.join(`\n${"-".repeat(80)}\n\n`))
}

/** Names what was built, so that a host and a client of different builds know it: the version, and what is in it. */
const buildId = () => {
  const hash = createHash("sha256")
  const add = (directory) => {
    for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" }).sort()) {
      if (!/\.(js|json|[ch])$/.test(name)) continue
      hash.update(`${name}\0`).update(readFileSync(join(directory, name)))
    }
  }
  for (const part of parts) add(join(staging, part))
  for (const folder of natives) add(join(root, folder))
  hash.update(readFileSync(join(root, "package-lock.json")))
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return `${version}+${hash.digest("hex").slice(0, 12)}`
}

const here = `${process.platform}-${process.arch}`

/** No program of ours is native on Windows; what is made on Linux is for both kinds of it. */
const nativePlatforms =
  process.platform === "win32"
    ? []
    : [...new Set([here, ...(process.platform === "linux" ? ["linux-x64", "linux-arm64"] : [])])]

const notBuilt = (platform) =>
  platform === here
    ? "not built, there is no C compiler; hooks go through the entrypoint"
    : `not built, there is no compiler for it (${crossPackages.join(", ")}); its hooks go through the entrypoint`

const buildNative = (id) => {
  for (const platform of nativePlatforms) {
    const place = join(staging, "client", platform)
    const client = compileClient(join(place, "hook"), id, { platform })
    const starter = compileStarter(join(place, "starter"), { platform })
    console.log(
      `client for ${platform}: ${client ? `${client}; starter: ${starter ?? "not built"}` : notBuilt(platform)}`
    )
  }
}

const swapIn = () => {
  const dist = join(root, "dist")
  if (existsSync(dist)) renameSync(dist, discarded)
  renameSync(staging, dist)
}

/** The guards that come with hooktape, built as for somebody without hooks: what answers while a build is gone. */
const buildShipped = async () => {
  const home = mkdtempSync(join(cache, "shipped-"))
  try {
    const state = join(home, "state")
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(root, "dist", "cli.js"), "build", "--user", "--quiet"],
      {
        cwd: home,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: home, HOOKTAPE_HOME: state, HOOKTAPE_HOST: "off" }
      }
    )
    if (status !== 0) throw new Error(`the shipped hooks do not build\n${stderr}`)
    const manifest = JSON.parse(readFileSync(join(state, "projects", "user.json"), "utf8"))
    const { defaults } = await import(pathToFileURL(join(root, "dist", compiledFrom(shippedHooks))).href)
    const guarded = defaults.filter(({ isGuard }) => isGuard).flatMap(({ hook }) => hook.on)
    const events = Object.fromEntries(guarded.map((event) => [event, manifest.events[event]]))
    const to = join(root, "dist", "shipped")
    // Where this was built is nobody's business: there the paths are names only.
    for (const name of new Set([manifest.default, ...Object.values(events), ...(manifest.beside ?? [])]))
      writeFileSync(
        join(to, name),
        readFileSync(join(manifest.dir, name), "utf8").replaceAll(join(root, "dist", "/"), "hooktape:")
      )
    const left = { ...manifest, events, sources: [], history: [], dir: "", cli: "" }
    writeFileSync(join(to, "manifest.json"), `${JSON.stringify(left)}\n`)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** What agents install as a plugin or an extension, a folder for each. */
const writePlugins = async () => {
  const { pluginAgents, pluginFiles } = await import(pathToFileURL(join(staging, compiledFrom(plugins))).href)
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  for (const agent of pluginAgents)
    for (const [name, text] of Object.entries(pluginFiles(agent, version))) {
      const file = join(staging, "plugins", agent, name)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
}

mkdirSync(cache, { recursive: true })
try {
  compile()
  writeKinds()
  escapeExpressions()
  copyAssets()
  await bundleShared()
  await checkModules()
  await bundleFronts()
  await bundleLoader(join(staging, compiledFrom(loader)), join(staging, "load.cjs"))
  await bundleLoader(join(staging, compiledFrom(nodeLauncher)), join(staging, "hook.cjs"))
  await bundlePrograms()
  await bundleSqlite()
  placeAddons(staging)
  // What it may read is limited, and it keeps nothing.
  writeFileSync(join(staging, "backtest.cjs"), 'require("./handlers.cjs")\n')
  await bundleProgram(join(staging, compiledFrom(rerun)), join(staging, "rerun.cjs"))
  await writePlugins()
  await bundlePage()
  writeLicences()
  const id = buildId()
  writeFileSync(join(staging, "build-id"), `${id}\n`)
  buildNative(id)
  swapIn()
  await buildShipped()
} catch (cause) {
  console.error(`build: ${cause instanceof Error ? cause.message : cause}`)
  process.exitCode = 1
} finally {
  for (const leftover of [staging, discarded]) rmSync(leftover, { recursive: true, force: true })
}
