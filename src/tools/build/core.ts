/** Where our own code lies, to be bundled with the hooks: the sources in a checkout, the compiled modules in a package. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { agents } from "../../../events/agentEvents.ts"
import type { FoundHook } from "./check.ts"
import { findShipped } from "./shipped.ts"

/** The modules every bundle is made of. */
export interface Core {
  /** The folder of our package.json. */
  readonly root: string
  /** What `hooktape` means to a hook file. */
  readonly index: string
  /** Exports `main(options)`. */
  readonly main: string
  /** Exports `loadFile` and `loadFiles`. */
  readonly loadFiles: string
  /** Exports `runEffect`; only for hooks that bring Effect with them. */
  readonly runEffect: string
  /** Exports `makeHandlerServices`; evaluated when a handler asks for a service. */
  readonly handlerServices: string
  /** Exports `makeRecall`; evaluated when a hook's limits or an agent's stop ask for the log. */
  readonly recall: string
  /** Exports `retainGuards`; evaluated when a session began with a guard that the build does not have. */
  readonly retain: string
  /** Exports `externalHook`; only for hooks that are commands. */
  readonly external: string
  /** Exports `report(load)`. */
  readonly report: string
  readonly adapters: readonly { readonly agent: string; readonly module: string; readonly name: string }[]
  /** The hooks that come with the package. */
  readonly shipped: readonly FoundHook[]
  /** What of them is large and seldom needed: a file of its own beside the bundles. */
  readonly late: { readonly module: string; readonly file: string }
  /** The folder in which what bundles share lies compiled; undefined where the sources run as they are. */
  readonly prebuilt?: string
  readonly cli: string
  readonly version: string
}

const rootOf = (from: string): string => {
  for (let at = dirname(from); ; at = dirname(at)) {
    const file = join(at, "package.json")
    if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === "hooktape") return at
    if (dirname(at) === at) throw new Error(`no hooktape package around ${from}`)
  }
}

/** Runs from the sources, from the compiled modules, and from the one-file command in dist/. */
export const findCore = (from: string = fileURLToPath(import.meta.url)): Core => {
  const root = rootOf(from)
  const compiled = !from.startsWith(join(root, "src"))
  const base = compiled ? join(root, "dist") : root
  const at = (path: string): string => join(base, "src", `${path}${compiled ? ".js" : ".ts"}`)
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }
  return {
    root,
    index: at("index"),
    main: at("programs/entry/main"),
    loadFiles: at("programs/entry/loadFiles"),
    runEffect: at("programs/entry/runEffect"),
    handlerServices: at("runtime/services/handlerServices"),
    recall: at("history/recall"),
    retain: at("trust/retain"),
    external: compiled ? join(base, "shipped", "external-hook.cjs") : at("runtime/externalHook"),
    report: at("tools/build/report"),
    adapters: agents.map((agent) => {
      const name = agent.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      return { agent, module: at(`agents/${agent}/${name}`), name }
    }),
    shipped: findShipped((module) => at(`features/${module}`)),
    late: { module: at("features/guard/shellGuards"), file: "shell-guards.cjs" },
    ...(compiled ? { prebuilt: join(base, "shipped") } : {}),
    cli: join(root, "dist", "cli.js"),
    version
  }
}
