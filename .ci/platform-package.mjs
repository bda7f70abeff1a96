/**
 * The package that holds what is native for this machine's platform, made from what was built: SQLite's addons, and on a Mac our own programs,
 * which the main package has for Linux only:
 *
 *     node .ci/platform-package.mjs <folder>
 *
 * A release publishes one for each platform, and names them among the optional dependencies of the main package, which then brings no
 * addon itself. npm installs the one that fits.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const [, , folder] = process.argv
if (folder === undefined) {
  console.error("platform-package: name a folder to make")
  process.exit(2)
}

const platform = `${process.platform}-${process.arch}`
const { license, version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
cpSync(join(root, "dist", "native", platform), folder, { recursive: true })
if (process.platform === "darwin")
  cpSync(join(root, "dist", "client", platform), join(folder, "client"), { recursive: true })
cpSync(join(root, "dist", "third-party-licenses.txt"), join(folder, "third-party-licenses.txt"))
cpSync(join(root, "LICENSE"), join(folder, "LICENSE"))
const about = {
  name: `@hooktape/${platform}`,
  version,
  description: `What hooktape has of native code for ${platform}.`,
  license,
  os: [process.platform],
  cpu: [process.arch]
}
writeFileSync(join(folder, "package.json"), `${JSON.stringify(about, null, 2)}\n`)
console.log(`${about.name} ${version}`)
