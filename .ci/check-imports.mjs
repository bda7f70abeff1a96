/**
 * Runs the import rules of .dependency-cruiser.cjs: once over the sources as written, once with types erased,
 * because only the second shows what a hook makes Node load.
 *
 *     node .ci/check-imports.mjs [directory] [smallest number of modules to look at]
 */
import { existsSync, readdirSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, resolve } from "node:path"
import { argv, exit, stderr, stdout } from "node:process"
import { fileURLToPath } from "node:url"
import { cruise } from "dependency-cruiser"
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config"

const project = join(dirname(fileURLToPath(import.meta.url)), "..")
const rules = createRequire(import.meta.url)("../.dependency-cruiser.cjs")
const directory = resolve(argv[2] ?? project)
/** A tool that resolves nothing reports nothing: fewer modules than this and the check itself is broken. */
const floor = Number(argv[3] ?? 120)

const parts = ["events", "machines", "src"].filter((part) => existsSync(join(directory, part)))
const tsConfig = extractTSConfig(join(project, "tsconfig.json"))

const run = async (forbidden, options) => {
  const { output } = await cruise(
    parts,
    { ...rules.options, ...options, baseDir: directory, ruleSet: { forbidden }, validate: true },
    { extensions: rules.options.enhancedResolveOptions.extensions, bustTheCache: true },
    { tsConfig }
  )
  const looked = output.modules.filter(({ source }) => /^(events|machines|src)\//.test(source))
  return { violations: output.summary.violations, looked }
}

const describe = ({ rule, from, to, via }) => {
  const path = via?.map(({ name }) => name).join(" -> ") ?? to
  return `${rule.name}: ${from} -> ${path}`
}

if (parts.length === 0) {
  stderr.write(`check-imports: no sources in ${directory}\n`)
  exit(1)
}
const written = await run(rules.forbidden, { tsPreCompilationDeps: true })
// A dynamic import is evaluated only where it is reached, and on the hot path that is never the usual case.
const erased = await run(rules.hotPath, { tsPreCompilationDeps: false, exclude: { dynamic: true } })

/** What lies in no wing, but for the public surface: no rule would hold for it. */
const sources = join(directory, "src")
const outside = (existsSync(sources) ? readdirSync(sources) : []).filter(
  (name) => name !== "index.ts" && !rules.wings.includes(name)
)
for (const name of outside) stderr.write(`nothing-stands-outside-the-wings: src/${name}\n`)

const violations = [...written.violations, ...erased.violations]

const comments = new Map([...rules.forbidden, ...rules.hotPath].map(({ name, comment }) => [name, comment]))
for (const violation of violations) stderr.write(`${describe(violation)}\n`)
for (const name of new Set(violations.map(({ rule }) => rule.name)))
  stderr.write(`  ${name}: ${comments.get(name)}\n`)

const looked = Math.min(written.looked.length, erased.looked.length)
if (looked < floor) stderr.write(`check-imports: looked at ${looked} modules, expected at least ${floor}\n`)
if (violations.length + outside.length > 0 || looked < floor) exit(1)
stdout.write(`check-imports: ${looked} modules, no violation\n`)
