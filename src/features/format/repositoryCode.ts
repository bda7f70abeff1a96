/** Which formatters, named in the user's settings, run what a repository says: there the name of the program alone is no consent. */
import { basename, parse, resolve } from "node:path"
import { isWithin } from "../../state/within.ts"
import { isThere } from "../../trust/installedPackages.ts"
import { prettierCode } from "./prettierCode.ts"
import type { ToolCode } from "./toolCode.ts"

/** They start what a project's files name: scripts, tasks, or programs of its own folders. */
const launchers =
  /^(npx|pnpx|bunx|npm|pnpm|yarn|bun|deno|corepack|uv|uvx|poetry|pipenv|hatch|pdm|rye|bundle|rake|make|just|task|mise|asdf|direnv|cargo|mvn|mvnw|gradle|gradlew|mix|dotnet|composer|nix|pre-commit|lefthook|lint-staged|treefmt|trunk|dprint)$/

/** Their configuration, found beside the file, is code or loads some. */
const configuredByCode =
  /^(eslint|eslint_d|stylelint|tslint|xo|prettierd|oxlint|rubocop|standardrb|rufo|php-cs-fixer|phpcbf|pint|pylint|sqlfluff|scalafmt|cmake-format|gersemi|vim|nvim|emacs)$/

const interpreters = /^(sh|bash|dash|zsh|fish|node|python[\d.]*|ruby|perl|php|lua)$/

/** What stands for a program until it knows which version the working directory asks for. */
const standIns = /^(rustup|volta|volta-shim|mise|rtx|asdf|proto|shim)(\.exe)?$/

/** Where no repository is: whoever looks from there for a version to run, or for modules to import, finds none of a project's. */
export const outside = parse(process.execPath).root

export const isStandIn = (program: string, real: string): boolean =>
  /[\\/]shims[\\/]/.test(program) || standIns.test(basename(real))

/** Python 3.10 and older import from the working directory first, whatever they are told. */
export const importsFromHere = (name: string, args: readonly string[]): boolean =>
  /^python[\d.]*$/.test(basename(name)) && args.some((word) => /^-[A-Za-z]*m/.test(word))

export const repositoryCode = (
  name: string,
  args: readonly string[],
  file: string,
  project: string
): ToolCode => {
  const program = basename(name).replace(/\.exe$/i, "")
  const brings = (reason: string): ToolCode => ({ code: [], own: [{ file: project, reason }] })
  if (launchers.test(program) || (program === "go" && args[0] !== "fmt"))
    return brings(`${program} starts what the repository says`)
  if (configuredByCode.test(program)) return brings(`${program} loads code that the repository names`)
  if (program === "prettier") {
    const { own, packages } = prettierCode(file, project)
    return { code: packages, own }
  }
  if (!interpreters.test(program)) return { code: [], own: [] }
  const scripts = args
    .map((word) => resolve(project, word))
    .filter((place) => place !== file && isWithin(place, project) && isThere(place))
  return { code: scripts, own: [] }
}
