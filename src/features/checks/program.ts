/** Which program a part of a command line starts, what it is told to do there, and on what. Pure. */
import type { Segment } from "./shellLine.ts"

export interface Program {
  /** Without its folder: `vitest`, `go`. */
  readonly name: string
  /** What it is told to do, where it can do several things: `test` of `go test`, `run lint` of `npm run lint`. */
  readonly task: string
  /** Options, without the task. */
  readonly options: readonly string[]
  /** Everything else: files, names, revisions. */
  readonly targets: readonly string[]
}

/** Words of the shell that stand before a program. */
const keywords = new Set(["do", "then", "else", "if", "while", "!"])

/** What only starts another program, with as many words as belong to it. */
const starters = new Map<string, (rest: readonly string[]) => number>(
  Object.entries({
    sudo: (rest) => flags(rest),
    time: (rest) => flags(rest),
    nice: (rest) => flags(rest),
    nohup: () => 0,
    command: (rest) => (rest[0] === "-v" || rest[0] === "-V" ? -1 : 0),
    exec: () => 0,
    env: (rest) => flags(rest),
    stdbuf: (rest) => flags(rest),
    timeout: (rest) => flags(rest) + 1,
    npx: (rest) => flags(rest),
    bunx: (rest) => flags(rest),
    uvx: (rest) => flags(rest),
    pipx: (rest) => (rest[0] === "run" ? 1 : -1),
    uv: (rest) => (rest[0] === "run" ? 1 + flags(rest.slice(1)) : -1),
    poetry: (rest) => (rest[0] === "run" ? 1 : -1),
    pipenv: (rest) => (rest[0] === "run" ? 1 : -1),
    hatch: (rest) => (rest[0] === "run" ? 1 : -1),
    rye: (rest) => (rest[0] === "run" ? 1 : -1),
    pdm: (rest) => (rest[0] === "run" ? 1 : -1),
    bundle: (rest) => (rest[0] === "exec" ? 1 : -1),
    pnpm: (rest) => (rest[0] === "exec" || rest[0] === "dlx" ? 1 : -1),
    corepack: () => 0,
    dotenv: (rest) => flags(rest),
    docker: (rest) => inContainer(rest),
    podman: (rest) => inContainer(rest),
    "docker-compose": (rest) => inContainer(["compose", ...rest]) - 1
  })
)

/** `compose exec web`, `compose run --rm web`, `exec -it web`: what follows runs in there. Below 0 where nothing does. */
const inContainer = (words: readonly string[]): number => {
  const before = words[0] === "compose" ? 2 : 1
  const verb = words[before - 1]
  if (verb !== "exec" && !(verb === "run" && before === 2)) return -1
  let at = before
  while (words[at]?.startsWith("-"))
    at += /^(?:-[uwe]|--(?:user|workdir|env|index))$/.test(words[at] as string) ? 2 : 1
  return at + 1
}

const flags = (words: readonly string[]): number => {
  const at = words.findIndex((word) => !word.startsWith("-"))
  return at < 0 ? words.length : at
}

const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*=/.test(word)

const baseOf = (word: string): string => word.split(/[\\/]/).at(-1) ?? word

const maxTasks = 4

/** Programs whose first words say what they are to do, and how many of them. */
const withTasks = new Map<string, number>(
  `git go npm pnpm yarn bun cargo mix docker podman kubectl gh pip pip3 uv poetry mvn gradle gradlew mvnw make just
  rake dotnet swift brew apt apt-get systemctl terraform aws gcloud az helm rails bundle gem composer php mise poe invoke flutter dart deno nx turbo
  prisma alembic rustup conda tox nox cmake bazel task goreleaser biome ruff bd`
    .split(/\s+/)
    .map((name) => [name, 1])
)

/** Build tools that are given several things to do at once. */
for (const name of ["mvn", "mvnw", "gradle", "gradlew"]) withTasks.set(name, maxTasks)

/** Programs that take a file as well as a task, where a task is meant. */
const tasksAmongFiles = new Map<string, RegExp>([
  ["vitest", /^(?:run|watch|dev|related|bench|list)$/],
  ["playwright", /^(?:test|install|show-report|codegen)$/],
  ["vite", /^(?:build|dev|serve|preview|optimize)$/],
  ["next", /^(?:build|dev|start|lint|info)$/]
])

const tasksIn = (name: string, words: readonly string[]): number => {
  const first = words.find((word) => !word.startsWith("-")) ?? ""
  return withTasks.get(name) ?? (tasksAmongFiles.get(name)?.test(first) === true ? 1 : 0)
}

/** Those that run what is named next: the script is the task. */
const runners =
  /^(?:npm|pnpm|yarn|bun|deno|cargo|go|docker|uv|poetry|gh|git|just|mix|mise|dotnet|aws|gcloud|brew)$/
const deeper =
  /^(?:run|run-script|exec|compose|pr|issue|api|repo|workflow|release|mod|tool|container|image|python|pip|services)$/
const deeperOfGit = /^(?:stash|remote|worktree|submodule|bisect|lfs)$/

/** What these run is the project itself, or a package of it: no script with a name. */
const runsItself = (name: string, word: string): boolean =>
  /^(?:go|cargo|dotnet)$/.test(name) && word === "run"

const goesDeeper = (name: string, word: string): boolean =>
  name === "git" ? deeperOfGit.test(word) : runners.test(name) && deeper.test(word) && !runsItself(name, word)

/** Options that take the next word with them. */
const withValue =
  /^(?:-[CnmpfewkKtoIbc]|-(?:run|bench|skip|count|tags|timeout|parallel)|--(?:prefix|workspace|filter|cwd|dir|directory|manifest-path|package|config|project|timeout|message|body|title|base|head|repo|run|name|tags|count|retries|reporter|max-count|jq|method))$/

/** Of these no letter takes a word with it. */
const withoutValues = /^(?:rm|unlink|mv|cp)$/

const isWithoutValues = (name: string, task: readonly string[]): boolean =>
  withoutValues.test(name) || (name === "git" && task[0] === "rm")

const inner = /^(?:bash|sh|zsh)$/

export const programOf = ({ words: all }: Pick<Segment, "words">): Program | undefined => {
  let words = all
  for (let rounds = 0; rounds < 8; rounds++) {
    while (words[0] !== undefined && isAssignment(words[0])) words = words.slice(1)
    const [first, ...rest] = words
    if (first === undefined) return undefined
    const skipped = keywords.has(first) ? 0 : (starters.get(first)?.(rest) ?? -1)
    if (skipped < 0 || rest[skipped] === undefined) break
    words = rest.slice(skipped)
  }
  const [first = "", ...rest] = words
  const name = baseOf(first)
  const isPython = /^python[\d.]*$/.test(name)
  // `python -m pytest` is pytest.
  if (isPython && rest[0] === "-m" && rest[1] !== undefined) return programOf({ words: rest.slice(1) })
  const task: string[] = []
  const options: string[] = []
  const targets: string[] = []
  let most = tasksIn(name, rest)
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] as string
    if (word.startsWith("-") && word.length > 1) {
      options.push(word)
      const value = rest[at + 1]
      if (
        !isWithoutValues(name, task) &&
        withValue.test(word) &&
        value !== undefined &&
        !value.startsWith("-")
      ) {
        options[options.length - 1] = `${word} ${value}`
        at++
      }
    } else if (task.length < most) {
      task.push(word)
      if (task.length === most && most < 3 && goesDeeper(name, word)) most++
    } else targets.push(word)
  }
  return { name: isPython ? "python" : name, task: task.join(" "), options, targets }
}

/** What `bash -c` is given. */
export const innerCommand = ({ words }: Pick<Segment, "words">): string | undefined => {
  const at = words.findIndex((word) => inner.test(baseOf(word)))
  const flag = words[at + 1]
  return at >= 0 && flag !== undefined && /^-\w*c$/.test(flag) ? words[at + 2] : undefined
}
