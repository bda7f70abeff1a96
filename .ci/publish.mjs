/**
 * Publishes a release: the packages for the platforms, and then the main one, which names them and brings no addon itself.
 *
 *     node .ci/publish.mjs <folder with a folder for each platform> [--dry-run]
 *
 * What the registry has already is passed over. It changes the tree that it runs in: package.json, and dist/native goes. With --dry-run nothing is sent.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

/** Of each a package has to be there: who installs on one that is missing would have no SQLite. */
export const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"]
/** In name: a package for one is published and named with the others where somebody made it, and no release waits for it. */
export const inName = ["win32-x64", "win32-arm64"]

const platformOf = ({ name }) => basename(name)

const manifestIn = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))

/** npm says where a package was built only of one that names the repository it was built from. */
export const repositoryOf = ({
  GITHUB_REPOSITORY: name,
  GITHUB_SERVER_URL: server = "https://github.com"
}) => (name === undefined ? {} : { repository: { type: "git", url: `git+${server}/${name}.git` } })

/** The packages of the platforms, by their folders; throws what is wrong with them. */
export const packagesIn = (folder, version) => {
  const found = readdirSync(folder).map((name) => ({
    folder: join(folder, name),
    ...manifestIn(join(folder, name))
  }))
  for (const one of found)
    if (![...platforms, ...inName].some((platform) => one.name === `@hooktape/${platform}`))
      throw new Error(`${one.name} is a package of no platform that is known`)
  for (const platform of [...platforms, ...inName]) {
    const one = found.find(({ name }) => name === `@hooktape/${platform}`)
    if (one === undefined && inName.includes(platform)) continue
    if (one === undefined) throw new Error(`there is no package for ${platform}`)
    if (one.version !== version)
      throw new Error(`the package for ${platform} is of version ${one.version}, not ${version}`)
  }
  return found
}

/** The main package's description as it is published. `names`: the platforms that there is a package for. */
export const published = (manifest, env, names = platforms) => ({
  ...manifest,
  ...repositoryOf(env),
  optionalDependencies: Object.fromEntries(names.map((one) => [`@hooktape/${one}`, manifest.version]))
})

/** Of what a platform's package has that is loaded or started, by its path there. */
export const sumsOf = (folder) => {
  const client = join(folder, "client")
  const files = [
    ...readdirSync(folder).filter((name) => name.endsWith(".node")),
    ...(existsSync(client) ? readdirSync(client).map((name) => `client/${name}`) : [])
  ]
  return Object.fromEntries(
    files.map((name) => {
      const bytes = readFileSync(join(folder, name))
      return [name, { bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") }]
    })
  )
}

/**
 * Makes of a built main package the one that is published: without an addon, with the names of the platforms' packages, and with the sums of what
 * is in them, so that what is loaded from one is what this very release was made of. `folders`: of those packages.
 */
export const prepare = (main, folders, env) => {
  const file = join(main, "package.json")
  const sums = folders.map((folder) => [platformOf(manifestIn(folder)), sumsOf(folder)])
  const names = [...platforms, ...inName.filter((name) => sums.some(([platform]) => platform === name))]
  writeFileSync(file, `${JSON.stringify(published(manifestIn(main), env, names), null, 2)}\n`)
  writeFileSync(join(main, "dist", "platforms.json"), `${JSON.stringify(Object.fromEntries(sums))}\n`)
  rmSync(join(main, "dist", "native"), { recursive: true, force: true })
}

const npm = (words, options = {}) =>
  spawnSync("npm", words, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], ...options })

const isThere = ({ name, version }) =>
  npm(["view", `${name}@${version}`, "version"]).stdout.trim() === version

const send = (one, cwd, dryRun) => {
  if (!dryRun && isThere(one)) return console.log(`${one.name} ${one.version} is published already`)
  const how = dryRun ? ["--dry-run"] : ["--provenance"]
  const { status } = npm(["publish", "--ignore-scripts", "--access", "public", ...how], {
    cwd,
    stdio: "inherit"
  })
  if (status !== 0) throw new Error(`${one.name} was not published`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = join(dirname(fileURLToPath(import.meta.url)), "..")
  const [, , folder, flag] = process.argv
  const dryRun = flag === "--dry-run"
  const main = manifestIn(root)
  const packages = packagesIn(folder, main.version)
  for (const one of packages) {
    writeFileSync(
      join(one.folder, "package.json"),
      `${JSON.stringify({ ...manifestIn(one.folder), ...repositoryOf(process.env) }, null, 2)}\n`
    )
    send(one, one.folder, dryRun)
  }
  prepare(
    root,
    packages.map((one) => one.folder),
    process.env
  )
  send(main, root, dryRun)
}
