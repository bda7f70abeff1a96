/**
 * Tools of a project that are told at a glance: runners of its tests, builders, checkers, and what only asks. None with an option that
 * names a file to write, a program to start or a folder to go to, none that reads recipes which the guards read.
 */
import { type Glanced, type Operands, words } from "./glancedRow.ts"

const row = (
  names: string,
  first: readonly string[],
  operands: Operands,
  options = "--",
  except?: string
): Glanced => ({
  names: words(names),
  ...(first.length === 0 ? {} : { first }),
  ...(except === undefined ? {} : { except }),
  options: words(options),
  operands
})

const phrases = (text: string): readonly string[] => text.split(" | ")

const python =
  "-- --strict --no-cache --output-format --output-format= --select --select= --ignore --ignore= --statistics --no-fix --quiet --diff --check --verbose " +
  "--ignore-missing-imports --show-error-codes --no-error-summary --pretty --exclude --exclude= --disable= --python-version --python-version= --exit-zero -v -q -s -p -m"
const pytest =
  "-- --lf --ff --last-failed --failed-first --co --collect-only --no-header --no-cov --cov --cov= --tb --tb= --maxfail --maxfail= --durations --durations= " +
  "--timeout --timeout= --disable-warnings --verbose --quiet --cov-report=term --cov-report=term-missing -k -m"
const javascript =
  "-- --noEmit --pretty --skipLibCheck --incremental --strict -p --project --project= -b --build --watch=false --run --silent --verbose --bail --bail= --ci --passWithNoTests " +
  "--coverage --no-coverage --reporter --reporter= -t --testNamePattern --testNamePattern= --runInBand -i --maxWorkers= " +
  "--max-warnings --max-warnings= --quiet --ext --no-cache --no-color --color --error-on-warnings --forceExit --changed " +
  "--grep -g --workers= --check --list-different"

const pythonChecks = phrases(
  "mypy | pyright | basedpyright | ruff check | ruff format --check | ruff format --diff | flake8 | black --check | isort --check"
)
const javascriptChecks = phrases(
  "tsc | vue-tsc | vitest run | vitest --run | vitest related | vitest list | eslint | oxlint | jest | mocha | knip | stylelint | svelte-check | markdownlint-cli2 | " +
    "biome check | biome lint | biome ci | biome format | prettier --check | prettier -c | prettier --list-different | playwright test"
)
const shows =
  "--json --jq -q --repo -R --limit -L --state -s --author --label --log --log-failed --comments --name-only --exit-status --branch --workflow --job -v --watch --fail-fast"

export const glancedTools: readonly Glanced[] = [
  row(
    "go",
    phrases("build | test | vet"),
    "places",
    "-v -race -short -cover -count= -run -run= -skip -skip= -bench -bench= -benchmem -timeout -timeout= -tags -tags= -failfast -json -parallel -parallel= -p -shuffle= -list"
  ),
  row("go", ["list"], "places", "-m -u -deps -json -f -test"),
  row("go", phrases("version | env"), "names"),
  row("gofmt", phrases("-l | -d"), "places", "-s -l -d -e"),
  row(
    "golangci-lint",
    ["run"],
    "places",
    "-v --verbose --timeout --timeout= --new -E -D --enable --disable --enable= --disable= --build-tags= --max-same-issues= --max-issues-per-linter="
  ),
  row(
    "mix",
    phrases("test | compile | credo | dialyzer | format --check-formatted"),
    "places",
    "--warnings-as-errors --force --strict --trace --failed --stale --cover --only --only= --exclude --include --seed --seed= --max-failures --max-failures= --all --all-warnings"
  ),
  row("mix", phrases("format | deps | hex.outdated"), "none"),
  row(
    "cargo",
    phrases("build | test | check | clippy | tree | bench | nextest run"),
    "places",
    "-- --all --workspace --release --all-targets --all-features --no-default-features --features --features= -p --package --lib --bin --bins --test --tests --example --examples --doc " +
      "--locked --offline --quiet -q -v --verbose --no-run --no-fail-fast --keep-going -D -W -A --nocapture --test-threads=1 --exact --ignored -e -i"
  ),
  row("cargo", ["fmt"], "none", "-- --all --check -v"),
  row("pytest", [], "places", pytest, "copW"),
  row("uv poetry pipenv", ["run pytest"], "places", pytest, "copW"),
  row("python python3", ["-m pytest"], "names", pytest, "copW"),
  row("uv poetry pipenv", ["run python -m pytest"], "names", pytest, "copW"),
  row(
    "python python3",
    phrases("-m unittest | -m mypy | -m ruff check | -m flake8 | -m black --check"),
    "names",
    python
  ),
  row("python python3", ["-m json.tool"], "one"),
  row(
    "uv poetry pipenv",
    pythonChecks.map((check) => `run ${check}`),
    "places",
    python
  ),
  row("mypy pyright basedpyright flake8", [], "places", python),
  // Its `--output-format` may name a file.
  row("pylint", [], "places", "-v --verbose --disable= --enable= --ignore= --recursive="),
  row("ruff", phrases("check | format --check | format --diff"), "places", python),
  row("black isort", ["--check"], "places", python),
  row("npx bunx", javascriptChecks, "places", javascript),
  row(
    "tsc vue-tsc eslint oxlint jest mocha knip stylelint svelte-check markdownlint-cli2",
    [],
    "places",
    javascript
  ),
  row("vitest", phrases("run | --run | related | list"), "places", javascript),
  row("biome", phrases("check | lint | ci | format"), "places", javascript),
  row("prettier", phrases("--check | -c | --list-different"), "places", javascript),
  row("playwright", ["test"], "places", javascript),
  row(
    "bun",
    ["test"],
    "places",
    "-t --test-name-pattern --bail --bail= --timeout --timeout= --coverage --only --todo"
  ),
  row(
    "deno",
    phrases("test | check | lint | fmt --check"),
    "names",
    "-A --allow-all --quiet --no-check --all --parallel --fail-fast"
  ),
  row(
    "dotnet",
    phrases("build | test | format --verify-no-changes"),
    "names",
    "-c --configuration --no-build --no-restore --nologo -v --verbosity -f --framework --filter"
  ),
  row("swift", phrases("build | test"), "names", "-c --configuration -v --verbose --filter --parallel"),
  row(
    "mvn",
    phrases("test | compile | verify | validate | -q test | -q compile | -B test | -B verify"),
    "none",
    "-q -B -e -ntp -DskipTests"
  ),
  row(
    "gradle",
    phrases("test | build | check | assemble"),
    "none",
    "-q --quiet --info --stacktrace --no-daemon --console=plain --offline --continue --parallel"
  ),
  row("rspec", [], "places", "-f -fd -e --format --tag --fail-fast --only-failures --no-color"),
  row(
    "bundle",
    phrases("exec rspec | exec rubocop"),
    "places",
    "-f -fd -e --format --tag --fail-fast --only-failures --no-color --parallel"
  ),
  row(
    "phpunit",
    [],
    "places",
    "--filter --filter= --testdox --stop-on-failure --group --testsuite --no-coverage"
  ),
  row("shellcheck", [], "places", "--", ""),
  row("yamllint actionlint", [], "places", "-s"),
  row(
    "gh",
    phrases(
      "pr view | pr list | pr diff | pr checks | pr status | run list | run view | run watch | issue list | issue view | issue status | repo view | release list | release view | auth status | workflow list"
    ),
    "places",
    shows
  ),
  row(
    "docker",
    phrases(
      "ps | images | logs | version | info | compose ps | compose logs | container ls | image ls | volume ls | network ls"
    ),
    "names",
    "-a --all -q -f --follow --tail --tail= --since --since= -n --no-trunc --timestamps -t"
  ),
  row(
    "kubectl",
    phrases(
      "get pods | get pod | get deployments | get services | get svc | get nodes | get events | get namespaces | get jobs | " +
        "describe pod | describe deployment | describe node | describe service | version | top pods | config current-context"
    ),
    "names",
    "-A -n -l -w --all-namespaces --namespace --namespace= --tail --tail= --since= --previous --all-containers -c"
  ),
  row(
    "kubectl",
    ["logs"],
    "names",
    "-n -f -c -p -l --namespace --namespace= --follow --tail --tail= --since --since= --previous --all-containers"
  ),
  row(
    "npm",
    phrases("ls | list | view | outdated | explain | why"),
    "places",
    "--depth --depth= --all --json --long -g --global --parseable"
  ),
  row("pnpm", phrases("ls | list | why | outdated"), "places", "--depth --depth= --json --long"),
  row("yarn", ["why"], "places"),
  row("npm", phrases("audit | whoami | root | prefix"), "none", "--json -g"),
  row("pip pip3", phrases("list | show | freeze | check"), "names", "--outdated --format= -f"),
  row("uv", phrases("tree | pip list | pip show | pip freeze | tool list"), "names", "--outdated"),
  row(
    "git",
    ["push"],
    "names",
    "-u --set-upstream --tags --follow-tags -q --quiet -v --verbose --porcelain --dry-run -n"
  ),
  row("git", ["fetch"], "names", "--all --prune -p -t --tags -q --quiet -v --verbose --depth= --unshallow"),
  row(
    "git",
    phrases(
      "stash list | worktree list | config --get | config --list | config -l | remote get-url | remote show | reflog show"
    ),
    "names",
    "--porcelain --max-count= --oneline -n --stat"
  ),
  row("git", phrases("commit --amend --no-edit | reflog"), "none", "-q -a"),
  row(
    "git",
    phrases("tag -l | tag --list | branch --list | branch --contains | for-each-ref"),
    "any",
    "--format= --sort= -n"
  ),
  row("git", phrases("checkout -b | switch -c | tag"), "names"),
  row("tree", [], "any", "-a -d -f -h -s -L -L1 -L2 -L3 -I -P --dirsfirst --gitignore --noreport --prune"),
  row("ps pgrep", [], "places", "--", ""),
  row("uniq", [], "none", "--", ""),
  row("xxd", [], "one", "--", "r"),
  row("printf", [], "any"),
  row("test", [], "places", "--", "v"),
  row("command", ["-v"], "names"),
  row("date", [], "none", "-u -R +%s +%F +%T +%Y-%m-%d +%Y%m%d +%H:%M:%S +%Y%m%d%H%M%S +%Y%m%d-%H%M%S"),
  row("uname hostname nproc uptime", [], "none", "-a -m -r -s -f"),
  row(
    "node npm npx pnpm yarn bun deno go cargo rustc python python3 pip pip3 uv ruby gem bundle java javac mvn gradle dotnet swift git gh docker kubectl tsc mix elixir php composer gcc clang make cmake terraform jq rg",
    ["--version"],
    "none"
  ),
  row("docker kubectl helm terraform", ["version"], "none")
]
