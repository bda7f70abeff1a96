/**
 * Runs a TypeScript file of the tests (demo, bench) on any supported Node: bundled first, its own packages left outside.
 *
 *     node .ci/run-ts.mjs <file> [arguments…]
 *     node .ci/run-ts.mjs --to <bundle> <file>     only bundles, for whoever starts it many times
 */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { argv, execPath } from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"
import { build } from "esbuild"

const words = argv.slice(2)
const wanted = words[0] === "--to" ? words.splice(0, 2)[1] : undefined
const [file = "", ...rest] = words
const cache = join(dirname(fileURLToPath(import.meta.url)), "..", "node_modules", ".cache", "hooktape")
mkdirSync(cache, { recursive: true })
// Inside node_modules, so that packages are found from there.
const directory = mkdtempSync(join(cache, "run-"))

/** A bundle lies elsewhere, but its modules go on finding what lies beside their sources. */
const keepPlaces = {
  name: "keep-places",
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/, namespace: "file" }, ({ path }) => ({
      loader: "ts",
      contents: readFileSync(path, "utf8")
        .replaceAll(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)))
        .replaceAll(/\bimport\.meta\.filename\b/g, JSON.stringify(path))
        .replaceAll(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
    }))
}

const run = async () => {
  const outfile = wanted ?? join(directory, "main.mjs")
  await build({
    entryPoints: [resolve(file)],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    packages: "external",
    logLevel: "warning",
    plugins: [keepPlaces]
  })
  if (wanted !== undefined) return 0
  const { status, signal } = spawnSync(execPath, [outfile, ...rest], { stdio: "inherit" })
  return signal === null ? (status ?? 1) : 1
}

try {
  process.exitCode = await run()
} catch (cause) {
  console.error(`run-ts: ${cause instanceof Error ? cause.message : cause}`)
  process.exitCode = 1
} finally {
  rmSync(directory, { recursive: true, force: true })
}
