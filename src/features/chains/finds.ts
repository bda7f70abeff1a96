/** Whether another program than the one that showed a problem would show it as well. Pure. */
import type { Problem } from "../checks/Problem.ts"
import { programs } from "./programs.ts"
import type { Ran } from "./Subject.ts"

/** By what a problem is found: what does not compile is not tested either. A test that fails is found by tests alone. */
const purposes: { readonly [family: string]: readonly string[] } = {
  tsc: ["types", "build"],
  mypy: ["types"],
  "svelte-check": ["types"],
  pyright: ["types"],
  eslint: ["lint"],
  biome: ["lint"],
  prettier: ["lint"],
  ruff: ["lint"],
  rubocop: ["lint"],
  cargo: ["build", "tests", "types"],
  go: ["build", "tests", "lint"],
  maven: ["build", "tests"],
  gradle: ["build", "tests"],
  dotnet: ["build", "tests"],
  swift: ["build", "tests"],
  sbt: ["build", "tests"],
  mix: ["build", "tests"],
  cc: ["build"],
  bundler: ["build"]
}

const testRunners =
  /^(?:vitest|jest|mocha|bun test|node:test|deno|playwright|pytest|unittest|rspec|phpunit|gtest|ctest|flutter|bats|nextest)$/

const foundBy = ({ code = "", family, test }: Problem): readonly string[] => {
  if (test !== undefined || testRunners.test(family)) return ["tests"]
  if (family === "mix" && /^(?:credo|dialyzer)/.test(code)) return ["lint"]
  return purposes[family] ?? []
}

/** The languages whose problems a family tells of, and whose programs may show them. */
const languages: readonly (readonly [language: string, families: RegExp, programs: RegExp])[] = [
  [
    "javascript",
    /^(?:tsc|svelte-check|eslint|biome|prettier|vitest|jest|mocha|bun test|node:test|deno|playwright|bundler|javascript)$/,
    /^(?:npm|pnpm|yarn|bun|node|deno|nx|turbo|lerna|tsc|vue-tsc|tsgo|svelte-check|eslint|biome|prettier|vitest|jest|mocha|ava|playwright|cypress|vite|next|nuxt|astro|parcel|webpack|rollup|esbuild|tsup|tsx)$/
  ],
  [
    "python",
    /^(?:pytest|unittest|mypy|pyright|ruff|python)$/,
    /^(?:python|pytest|py\.test|tox|nox|uv|poetry|hatch|pdm|rye|poe|mypy|dmypy|pyright|basedpyright|ruff|flake8|pylint|black)$/
  ],
  ["go", /^go(?: panic)?$/, /^(?:go|gofmt|golangci-lint|staticcheck|gotestsum)$/],
  ["rust", /^(?:cargo|nextest|rust panic)$/, /^(?:cargo|rustc|clippy-driver)$/],
  ["java", /^(?:maven|gradle|sbt|java)$/, /^(?:mvnw?|gradlew?|sbt|ant|javac|kotlinc)$/],
  ["dotnet", /^dotnet$/, /^(?:dotnet|msbuild)$/],
  ["swift", /^swift$/, /^(?:swift|xcodebuild|swiftlint)$/],
  ["ruby", /^(?:rspec|rubocop|ruby)$/, /^(?:ruby|rspec|rails|rake|bundle|rubocop|standardrb)$/],
  ["elixir", /^mix$/, /^(?:mix|iex|elixir)$/],
  ["php", /^(?:php|phpunit)$/, /^(?:php|phpunit|phpstan|composer|artisan|pest)$/],
  ["c", /^(?:cc|gtest|ctest)$/, /^(?:cmake|ctest|ninja|gcc|clang|g\+\+)$/],
  ["dart", /^flutter$/, /^(?:flutter|dart)$/]
]

/** Programs of no language, such as make, run whatever there is. */
const speaksOf = (problem: Problem, { name }: Ran): boolean => {
  const own = languages.find(([, families]) => families.test(problem.family))?.[0]
  const other = languages.find(([, , names]) => names.test(name))?.[0]
  return own === undefined || other === undefined || own === other
}

/** What starts the checks of a project by a name that the project gave them. */
const runners =
  /^(?:npm|pnpm|yarn|bun|nx|turbo|lerna|make|gmake|just|task|go-task|mise|rake|rails|composer|tox|nox|poe|invoke|inv|hatch|moon|bazel|ant|deno)$/

/** A task that is all there is of its purpose; `test:e2e` and `lint:css` are others than what failed. */
const isWhole = (task: string): boolean =>
  /^(?:(?:run|run-script) )?(?:tests?|t|check|ci|all|lint|verify|spec|types|typecheck|compile|build)?$/.test(
    task
  )

const beginsOf = (task: string, failed: string): boolean =>
  task !== "" && /^[:.\-/]/.test(failed.slice(task.length)) && failed.startsWith(task)

/** With the same purpose, the program itself or what the project starts it by: vitest says nothing of what playwright tests. */
const mayRun = ({ family }: Problem, { name, task }: Ran, failed: Ran): boolean =>
  (runners.test(name) && (isWhole(task) || beginsOf(task, failed.task))) ||
  programs[family]?.test(name) === true

/** `later` would have found it, as far as it looks at the same place. */
export const findsIt = (later: Ran, failed: Ran, problem: Problem): boolean => {
  const { purpose } = later
  if (purpose === undefined || !foundBy(problem).includes(purpose) || !speaksOf(problem, later)) return false
  if (purpose !== failed.purpose) return true
  return (later.name !== failed.name || later.task !== failed.task) && mayRun(problem, later, failed)
}
