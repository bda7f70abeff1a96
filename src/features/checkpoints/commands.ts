/** What a shell command was for, told by its name: whether it ran the tests, built, linted or checked types. Pure. */

export type Purpose = "tests" | "build" | "types" | "lint"

const script = (names: string): RegExp => new RegExp(`^(npm|pnpm|yarn|bun)( run)? (${names})(:\\S+)?( |$)`)

/** In this order: `cargo check` is no test, `make check` is one. */
const patterns: readonly (readonly [Purpose, RegExp])[] = [
  ["tests", script("t|test|tests|spec|e2e|unit|coverage")],
  [
    "tests",
    /^(vitest|jest|mocha|ava|tap|pytest|py\.test|tox|nox|rspec|phpunit|ctest|playwright test|cypress run|deno test|node --test|bun test|swift test|mix test|dotnet test|zig build test|go test|cargo (test|nextest)|rake (test|spec)|rails (test|spec)|flutter test|dart test|pest|prove|make (test|tests|check)|just test|bats|busted|sbt test)( |$)/
  ],
  ["tests", /^(python[\d.]*|uv run python) -m (pytest|unittest|nose2)( |$)/],
  ["tests", /^(mvn|\.\/mvnw|gradle|\.\/gradlew|bazel|buck2?)( \S+)* (test|check|verify)( |$)/],
  ["types", script("typecheck|type-check|types|tsc|check-types")],
  ["types", /^(npm|pnpm|yarn|bun)( run)? check:types( |$)/],
  [
    "types",
    /^(tsc|vue-tsc|svelte-check|mypy|pyright|basedpyright|pyre|flow check|sorbet|srb tc|cargo check|deno check)( |$)/
  ],
  ["lint", script("lint|eslint|check-lint")],
  ["lint", /^(npm|pnpm|yarn|bun)( run)? check:(lint|format)( |$)/],
  [
    "lint",
    /^(eslint|oxlint|biome (check|lint|ci)|ruff( check)?|flake8|pylint|rubocop|golangci-lint|staticcheck|go vet|cargo clippy|clippy-driver|shellcheck|stylelint|hadolint|markdownlint|ktlint|swiftlint|prettier (\S+ )*--check|black (\S+ )*--check|cargo fmt (\S+ )*--check|gofmt -l)( |$)/
  ],
  ["build", script("build|compile|bundle|dist")],
  [
    "build",
    /^((vite|rollup|next|nuxt|turbo|nx|astro|parcel|webpack) build|webpack|rollup -c|esbuild|tsup|go (build|install)|(?:cargo|flutter) build|make( (all|build))?$|cmake --build|ninja|dotnet build|docker build|swift build|zig build|mix compile|sbt compile|just build|python[\d.]* -m build|uv build|poetry build)( |$)/
  ],
  [
    "build",
    /^(mvn|\.\/mvnw|gradle|\.\/gradlew|bazel)( \S+)* (package|build|classes|compile\w*|assemble\w*|install)( |$)/
  ]
]

/** What only starts another program. */
const wrapper =
  /^(?:\w+=(?:"[^"]*"|'[^']*'|\S*) +|(?:sudo|time|nice|nohup|command|exec|env|npx(?: --?\S+)*|pnpm (?:exec|dlx)|yarn(?: run)? (?=eslint|tsc|jest|vitest|prettier)|bunx|uvx|(?:uv|poetry|pipenv|rye|hatch|pdm) run|bundle exec|dotenv --|timeout \S+|stdbuf(?: -\S+)+|(?:(?:docker|podman)[ -]compose (?:exec|run)|(?:docker|podman) exec)(?: (?:-[uwe] [^-\s]\S*|-(?![uwe] )\S+))* [^-\s]\S*) +)/

const unwrapped = (segment: string): string => {
  let text = segment.trim().replace(/^[({]\s*/, "")
  for (let rounds = 0; rounds < 8; rounds++) {
    const inner = text.replace(wrapper, "")
    if (inner === text) break
    text = inner.trimStart()
  }
  return text.replace(/^(?:\.\/)?(?:node_modules\/\.bin|vendor\/bin|bin)\/(?=\w)/, "").replace(/\s+/g, " ")
}

interface Segment {
  readonly text: string
  /** What stands after it: its end is the command's end only where nothing does, or `&&`. */
  readonly followed: string
}

/** Falls apart where the shell would begin another program; quotes are left whole as far as they are closed. */
const segmentsOf = (command: string): readonly Segment[] => {
  const found: Segment[] = []
  const parts =
    command.match(/"(?:[^"\\]|\\.)*"|'[^']*'|&&|\|\||2>&1|>&2|&>|[;|&\n]|[^"';|&\n2>]+|[\s\S]/g) ?? []
  let text = ""
  for (const part of parts) {
    if (/^(&&|\|\||[;|&\n])$/.test(part)) {
      found.push({ text, followed: part })
      text = ""
    } else text += part
  }
  found.push({ text, followed: "" })
  return found.filter(({ text: one }) => one.trim() !== "")
}

/** Which folder or package is meant stands before what is to be done there. */
const placed =
  /^(npm|pnpm|yarn|bun|make|cargo|just) (?:(?:-C|-w|--prefix|--dir|--cwd|--directory|--filter|--workspace|--manifest-path)[ =](?:"[^"]*"|'[^']*'|\S+) )+/

const purposeOf = (segment: string): Purpose | undefined => {
  const text = unwrapped(segment).replace(placed, "$1 ")
  return patterns.find(([, pattern]) => pattern.test(text))?.[0]
}

export interface Recognised {
  readonly purpose: Purpose
  /** The part that has it, without what only starts it. */
  readonly text: string
  /** The exit code of the whole command is not that of this part: `npm test | tail`, `npm test; true`. */
  readonly isMasked: boolean
}

/** Every purpose of a command line, each once. */
export const recognise = (command: string): readonly Recognised[] => {
  const segments = segmentsOf(command)
  const found = new Map<Purpose, Recognised>()
  segments.forEach(({ text, followed }, at) => {
    const purpose = purposeOf(text)
    if (purpose === undefined) return
    const rest = [followed, ...segments.slice(at + 1).map((one) => one.followed)]
    const isPiped = followed === "|" && !/\bpipefail\b/.test(command)
    const isMasked = isPiped || rest.some((one) => one === ";" || one === "\n" || one === "||" || one === "&")
    found.set(purpose, { purpose, text: unwrapped(text), isMasked: isMasked && followed !== "" })
  })
  return [...found.values()]
}

const saysFailed =
  /\b[1-9]\d* (?:tests? |suites? |specs? |examples?, )?(?:failed|failing|failures?|errors?)\b|^FAIL\b|^--- FAIL|\bFAILED\b|\bnot ok \d|npm ERR!|\berror TS\d+|\bBUILD FAILED\b|^Traceback \(most recent|\bpanicked at\b|✖ [1-9]\d* problem/m
const saysPassed =
  /\b[1-9]\d* (?:tests? |suites? |specs? )?(?:passed|passing)\b|\b0 (?:failed|failures|errors)\b|^PASS\b|^ok\s+\S+|\bAll checks passed\b|\bNo issues found\b|\btest result: ok\b|\bBUILD SUCCESS/m

/** Whether it went well, as far as exit code and output tell. */
export const outcomeOf = (
  isMasked: boolean,
  exitCode: number | undefined,
  hasFailed: boolean,
  output: string
): boolean | undefined => {
  if (!isMasked && exitCode !== undefined) return exitCode === 0
  if (hasFailed || saysFailed.test(output)) return false
  // Without a code, silence says nothing: it may still run, or somebody only says that it ran.
  return saysPassed.test(output) ? true : undefined
}
