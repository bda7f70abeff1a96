/** The programs that have much in common, out of the compiled modules: the command, the host, and what runs handlers. */
import { createRequire } from "node:module"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { sqliteVersion } from "./native.mjs"
import { packed } from "./packs.mjs"

const declarations = "src/programs/cli/declarations.ts"
const addonModule = "src/log/sqlite/addon.ts"
const collector = "src/tools/collector/collector.ts"

const require = createRequire(import.meta.url)

export const compiledFrom = (source) => join(...source.replace(/\.ts$/, ".js").split("/"))

/** Itself a program: found in node_modules at run time. */
export const external = ["esbuild"]

/** What help, completions and the reading of a command line need of the commands, as data: their code is loaded for what they do only. */
export const declaredCommands = async (compiled) => {
  const module = join(compiled, compiledFrom(declarations))
  const { declarations: all } = await import(pathToFileURL(module).href)
  const data = JSON.stringify(await all())
  const contents = [
    "let all",
    `const parsed = () => (all ??= JSON.parse(${JSON.stringify(data)}))`,
    "export const declarationOf = async (name) => parsed()[name]",
    "export const declarations = async () => parsed()"
  ].join("\n")
  return {
    name: "declared-commands",
    setup: ({ onLoad }) => onLoad({ filter: /cli[\\/]declarations\.js$/ }, () => ({ contents, loader: "js" }))
  }
}

/** Where a bundle lies, which is CommonJS and has to be told. */
export const moduleUrl = "__moduleUrl"
export const ownUrl = 'require("node:url").pathToFileURL(module.filename).href'

/**
 * The library's own ten files would be read and compiled at every start, and its addon looked for in thirteen places. So it stands in
 * what starts, and takes the addon that our own rule finds.
 */
export const sqliteBrought = async (root, compiled) => {
  // Asked for by a module that is CommonJS, so it is one too: of another kind it would be filled in only as it is loaded.
  const { outputFiles } = await build({
    entryPoints: [join(compiled, compiledFrom(addonModule))],
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    write: false
  })
  const version = JSON.stringify(sqliteVersion)
  const addon = [
    outputFiles[0].text,
    "const brought = module.exports",
    `const from = require("node:url").fileURLToPath(${moduleUrl})`,
    `module.exports = () => brought.loadAddon({ from, version: ${version} })`
  ]
  return {
    name: "sqlite-brought",
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter: /^better-sqlite3$/ }, () => ({ path: require.resolve("better-sqlite3") }))
      onResolve({ filter: /^bindings$/ }, () => ({ path: "addon", namespace: "sqlite" }))
      onLoad({ filter: /^addon$/, namespace: "sqlite" }, () => ({
        contents: addon.join("\n"),
        resolveDir: root
      }))
    }
  }
}

/** Hooks of ours are planned in builds' bundles, which load what reads commands at once; in a program they are only looked at. */
const noGuardsAtOnce = {
  name: "no-guards-at-once",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /^\.\/shellGuards$/ }, ({ kind }) =>
      kind === "require-call" ? { path: "none", namespace: "no-guards-at-once" } : undefined
    )
    onLoad({ filter: /.*/, namespace: "no-guards-at-once" }, () => ({ contents: "module.exports = {}" }))
  }
}

/** What of the command is asked for most: it starts without reading the rest. */
const quick = ["show", "log"]

/**
 * `compiled`: the folder of the modules. `programs`: name → module, of which `command` is one and each other has a row in `eager`.
 * `url`: where they lie, as an expression.
 */
export const commandPacks = async ({ compiled, eager = {}, programs, root, url = ownUrl }) => {
  const commandOf = (name) => join(compiled, compiledFrom(`src/programs/cli/commands/${name}.ts`))
  return packed({
    root,
    programs,
    firsts: {
      command: programs.command,
      ...Object.fromEntries(quick.map((name) => [name, commandOf(name)])),
      collector: join(compiled, compiledFrom(collector))
    },
    packOf: ({ early, reached }) => {
      if (reached.length === 1) {
        // A machine that is no collector never reads what only that needs.
        if (early.length === 1 && early[0] === "collector") return "collector"
        return reached[0] === "command" && early.length === 0 ? "more" : reached[0]
      }
      // Nor do the host's doors, which a collector has too, make other commands start later.
      if (early.length === 1 && early[0] === "collector" && !reached.includes("handlers")) return "doors"
      return reached.includes("handlers") ? "common" : "shared"
    },
    eager: { command: [], ...eager },
    head: { name: moduleUrl, text: `const ${moduleUrl}=${url}` },
    options: {
      define: { "import.meta.url": moduleUrl },
      external: [...external, "pg-native"],
      // jsonc-parser's "main" is UMD, whose inner require no bundler can follow.
      mainFields: ["module", "main"],
      plugins: [await declaredCommands(compiled), await sqliteBrought(root, compiled), noGuardsAtOnce]
    }
  })
}
