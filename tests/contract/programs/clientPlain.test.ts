/** What the client takes for a command that only looks is one for the guards as well: else a call would pass that they have a word on. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FastCheck from "effect/FastCheck"
import { afterAll, describe, expect, it } from "vitest"
import { glanced } from "../../../src/features/guard/glanced.ts"
import { glance, isPlain } from "../../../src/features/guard/plain.ts"
import { plainHeader } from "../../support/client/plainHeader.ts"
import { bypasses } from "../../support/labelled/bypasses.ts"
import { commands } from "../../support/labelled/commands.ts"
import { forms } from "../../support/labelled/forms.ts"
import { indirections } from "../../support/labelled/indirections.ts"
import { packRows } from "../../support/labelled/packs.ts"

const root = join(import.meta.dirname, "..", "..", "..")
const client = join(root, "src", "programs", "client")
const folder = mkdtempSync(join(tmpdir(), "plain-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = join(folder, "plain")
const compiled = spawnSync(
  "cc",
  [
    ...["-g", "-O1", "-std=gnu11", "-Wall", "-Wextra", "-Werror"],
    ...["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    ...["-I", client, "-o", program],
    join(root, "tests", "support", "client", "plainMain.c"),
    ...["plain.c", "words.c", "json.c"].map((name) => join(client, name))
  ],
  { encoding: "utf8" }
)

const told = (all: readonly string[]): readonly boolean[] => {
  expect(compiled.stderr).toBe("")
  const { status, stderr, stdout } = spawnSync(program, {
    input: all.map((one) => `${one}\0`).join(""),
    encoding: "utf8",
    maxBuffer: 1 << 26
  })
  expect({ status, stderr, count: stdout.length }).toEqual({ status: 0, stderr: "", count: all.length })
  // What starts a script of a package does so for both.
  for (const [at, one] of [...stdout].entries())
    if (one !== "0") expect(glance(all[at] ?? "").startsScript, all[at]).toBe(one === "2")
  return [...stdout].map((one) => one !== "0")
}

/** Those that only the client takes for plain: there must be none. */
const wrong = (all: readonly string[], is = told(all)): readonly string[] =>
  all.filter((one, at) => is[at] && !isPlain(one))

/** What stands in commands, and what means harm in them. */
const operands = `
. / ~ ~/.ssh/id_rsa .env .git .claude/settings.json ../x /etc/passwd a.ts *.ts "a b" 'x y' "a'b" 'a"b' "" '' ""* ''? "-"* -*
-n -r -f -i -o -O -d -D -x -X -m -am -a -v -vv -A -u -p -c -C -T -e -nO -nC -no -noT -1 -n5 -k2,2 -- - --- --all --force --hard --delete --output=x
--output -ofile --oneline --o --only --only-matching --ext-diff --ext --textconv --filters --fil --stat --no-color --list --show-current
--open-files-in-pager=sh -Osh --pre=sh --pre --hostname-bin=x --compress-program=sh --files0-from=x -T/tmp -exec -delete -ok -okdir -fprint -fls -execdir
"-delete" -"exec" '-exe'c -name -iname -type -maxdepth --compile w 1,5p 5p ,p 1,p p "1,5p" s/a/b/ -i.bak --in-place -s --set HEAD main --amend --no-verify
fix test build lint unit tsc run --run --silent install publish status diff log show branch remote add commit push grep rev-parse
parser src/parser.test.ts src//x a-b a..b a. .a hooktape node_modules/hooktape -hooktape trust HOOKTAPE=0 AB=1 ABC=1 ABC"=1 ABC": 12=3 A1_: XDG_CONFIG_HOME=x
./... ./src/... src/ ./.x .../x a/..b a...b x-.y ./a:12 @a/b a@1.2 a::b "-k.x" ..hooktape Hooktape ~/.aws/credentials ~/.netrc id_rsa x.PEM _netrc ~/.ssh/* - +%s +F :main +main
--fix --write -exec -toolexec=sh --vettool=sh --config --outFile --cov-report=xml --cov-report=term --mirror --prune --count=1 -count=.x -count= -run= --tb=short secret secrets -oyaml clean deploy
$? "$?" a$?b "$?x $" "$x" \${PIPESTATUS[0]} "\${PIPESTATUS[0]}" "\${PIPESTATUS[1]}" \${x} $?* "a\\|b" "a\\$b" "a\\" "\\\\" "é" 'é' a\\|b -$? "-$?"
foo=bar =x x= x='y' sh --color=auto 2>&1 2>/dev/null >/dev/null &>/dev/null 1> /dev/null 2>x >x <x $x \`x\` $(x) \\x x! & é {a,b} [a] #x \t`
  .split(/[ \n]+/)
  .filter((one) => one !== "")
  .map((one) => (one === "\\t" ? "\t" : one))

const names = [
  ...new Set(glanced.flatMap((rule) => rule.names)),
  "rm",
  '"ls"',
  "l's'",
  "LS",
  "x=ls",
  "git-x",
  "sudo"
]
const between = [" && ", " || ", " | ", "; ", ";", "\n", "|", "&&", " & ", "&", " ;; ", " |& "]

/** Of more words than one, and of more lines. */
const longer = [
  "'x\ny'",
  '"x\ny"',
  '"-x\n*"',
  "'a b",
  ...[
    "fix: it\n\nBody, (why).",
    "-x",
    "",
    "it's",
    'a "b"',
    "a $x",
    "a `x`",
    "a \\ b",
    "EOF ",
    "HOOK'TAPE=0",
    "é"
  ].flatMap((text) => [
    `"$(cat <<'EOF'\n${text}\nEOF\n)"`,
    `"$(cat <<EOF\n${text}\nEOF\n)"`,
    `"$(cat <<'EOF'\n${text}\nEOF\n)"x`,
    `x"$(cat <<'EOF'\n${text}\nEOF\n)"`,
    `"$(cat <<'EOF'\n${text}\nEOF\nEOF\n)"`,
    `"$(cat <<'EOF'\n${text}\nEOF\n)" `,
    `"$(cat <<'EOF'\n${text}\nEOF)"`
  ])
]

/** The same from run to run. */
const choices = (): (<A>(of: readonly A[]) => A) => {
  let state = 42
  return (of) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return of[Math.floor((state / 2 ** 32) * of.length)] as (typeof of)[number]
  }
}

const made = (count: number): readonly string[] => {
  const pick = choices()
  const one = (): string => {
    const rule = pick(glanced)
    const isOwn = pick([0, 1, 2]) > 0
    const name = pick(isOwn ? rule.names : names)
    const first = isOwn && rule.first !== undefined ? [pick(rule.first)] : []
    const option = (): string => {
      const one = pick([...rule.options, "a", "b.ts"])
      return one.endsWith("=") ? one + pick(operands) : one
    }
    const given = Array.from({ length: pick([0, 1, 1, 2, 2, 3]) }, () =>
      pick([0, 1]) === 0 ? option() : pick([0, 1, 2, 3]) > 0 ? pick(operands) : pick(longer)
    )
    return [name, ...first, ...given].join(pick([" ", " ", " ", "  ", "\t"]))
  }
  return Array.from({ length: count }, () => {
    const lines = Array.from({ length: pick([1, 1, 1, 2, 3]) }, one)
    return lines.reduce((line, next) => line + pick(between) + next)
  })
}

describe("a command that the client takes for plain", () => {
  it("is told by a table that is the guard's own", async () => {
    await expect(plainHeader()).toMatchFileSnapshot(join(client, "plain.h"))
  })

  it("is plain for the guards, whatever it is made of", () => {
    const all = made(200_000)
    const is = told(all)
    expect(is.filter((one) => one).length).toBeGreaterThan(20_000)
    expect(wrong(all, is)).toEqual([])
  }, 120_000)

  it("is plain for the guards, whatever its characters are", () => {
    const pieces = FastCheck.array(
      FastCheck.oneof(
        FastCheck.constantFrom(
          ..."ls cat git status go test commit -m -n a ' \" * ? = : - . / ~ ! $ $? ( ) { } [ ] ` \\ | & ; > < 2>&1 AB _ 0 é EOF << $(cat".split(
            " "
          )
        ),
        FastCheck.constantFrom(" ", "\t", "\n", "\r", "\u00a0", "\u0001"),
        FastCheck.string({ maxLength: 3 })
      ),
      { maxLength: 12 }
    ).map((parts) => parts.join("").replaceAll("\0", ""))
    const all = FastCheck.sample(
      pieces.map((text) => text),
      { numRuns: 50_000, seed: 7 }
    ).flatMap((text) => [
      text,
      `ls ${text}`,
      `git status ${text}`,
      `go test ${text}`,
      `git commit -m ${text}`
    ])
    const is = told(all)
    expect(is.filter((one) => one).length).toBeGreaterThan(1000)
    expect(wrong(all, is)).toEqual([])
  }, 120_000)

  it("is none of the labelled ones that are to be stopped", () => {
    const stopped = [...commands, ...packRows, ...forms, ...indirections]
      .filter(([, label]) => label !== null)
      .map(([command]) => command)
    expect(told([...stopped, ...bypasses]).filter((one) => one)).toEqual([])
  })

  it("is what an agent mostly runs", () => {
    const everyday = [
      "ls -la",
      "npm test -- --run parser",
      "npm test",
      "npm run build 2>&1 | tail -20",
      "pnpm run lint",
      "npx vitest run",
      "git status",
      "git diff --stat HEAD",
      "git log --oneline -5",
      "git add -A && git status --short",
      'git commit -m "Mend the parser"',
      'grep -rn "function parse" src | head -20',
      "cat package.json",
      "find . -name '*.ts' -not -path './node_modules/*' | wc -l",
      "sed -n '1,80p' src/index.ts",
      "cd src && ls; pwd",
      'rg -n "NOTE: x" src 2>/dev/null',
      "head -50 README.md\nwc -l README.md",
      'cd /d/x/src && go build ./... && go test -count=1 ./... 2>&1 | grep -v "^ok" | head -20; echo "EXIT: $?"',
      "go vet ./a/... && golangci-lint run ./a/... 2>&1 | tail -2 && gofmt -l a/",
      "go test -run '^TestA$' ./... && echo $" + "{PIPESTATUS[0]}",
      "uv run ruff check src/ tests/ && uv run ruff format --check src/ tests/ && uv run mypy src/ && uv run pytest tests/ -v",
      "python -m pytest tests/test_a.py -q --tb=short",
      "pytest tests/test_a.py::TestA::test_b -xvs",
      "mix test test/a_test.exs:12 2>&1 | tail -5",
      "mix compile --warnings-as-errors 2>&1 && mix credo --strict lib/a.ex",
      "cargo clippy --all-targets -- -D warnings",
      "npx tsc --noEmit -p tsconfig.json",
      "npx vitest run src/a.test.ts",
      "bun run build",
      "gh pr view 49 --repo a/b --json number,url",
      "docker compose logs --tail=50 web",
      "kubectl get pods -n web",
      "git push -u origin fix/it",
      "git commit --amend --no-edit",
      `git add -A && git commit -m "$(cat <<'EOF'\nfix(a): it\n\nSay why, don't guess: it's in README.\n\nCo-Authored-By: A <a@b.c>\nEOF\n)"`,
      'grep -n "a\\|b" src/*.ts',
      'git commit -m "Mend it\n\nFor a reason – a good one."'
    ]
    const is = told(everyday)
    expect(everyday.filter((_, at) => !is[at])).toEqual([])
    expect(told(["cd web && npm test", "npm test; cd web"])).toEqual([false, false])
    expect(told(["", " ", "rm -rf /", "x".repeat(2001), `ls ${"a ".repeat(70)}`])).toEqual([
      false,
      true,
      false,
      false,
      false
    ])
  })
})
