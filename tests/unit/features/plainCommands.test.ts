/** Commands that are told at a glance to do nothing but look: whatever passes there, the guards that read it have nothing to say of. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { classify } from "../../../src/features/guard/classify.ts"
import { isPlain } from "../../../src/features/guard/plain.ts"
import { weakenedByShell } from "../../../src/features/ownGuards/weakenedByShell.ts"
import { bypasses } from "../../support/labelled/bypasses.ts"
import { commands } from "../../support/labelled/commands.ts"
import { forms } from "../../support/labelled/forms.ts"
import { indirections } from "../../support/labelled/indirections.ts"
import { packRows } from "../../support/labelled/packs.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "plain-")))
const home = join(root, "home")
const project = join(home, "work")
for (const folder of [join(home, ".claude"), join(project, ".claude"), join(project, ".git")])
  mkdirSync(folder, { recursive: true })
writeFileSync(join(home, ".claude", "settings.json"), "{}")
writeFileSync(join(project, ".claude", "settings.json"), "{}")
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = { project, cwd: project, home, temporary: ["/tmp"], allow: [], off: [], packs: {} }
const guarded = { cwd: project, project, home, env: { HOME: home, HOOKTAPE_HOME: join(root, "state") } }

const told = (command: string): string | undefined =>
  classify(command, place)?.rule ?? weakenedByShell(command, guarded)

/** What tools are given by those who mean harm: paths that are guarded, options that write or start something. */
const operands = `
. / ~ ~/.ssh/id_rsa .env .git .claude/settings.json ~/.claude/settings.json ${home}/.claude ${root}/state /etc/passwd /dev/sda
a.ts *.ts "a b" 'x y' -n -r -f -i -o -O -d -D -x -X -m -am -a -v -A -p --all --force --hard --delete --output=x --output -ofile
--oneline --stat --only-matching --ext-diff --textconv --filters --open-files-in-pager=sh -Osh -nO --pre=sh --pre sh --hostname-bin=x
--compress-program=sh --files0-from=x -T/tmp -no -exec -delete -ok -fprint -fls -execdir "-delete" -"exec" -C --compile w 1,5p 5p
s/a/b/ -i.bak --in-place -s --set HEAD main origin --amend --no-verify fix test build run --run --silent -- install publish
status diff log show branch remote push -c --git-dir=x
'-i>' '-ox>/../x' '--output=x>' '-D>' '--pre=x>' '-exec>' ?delete ?i * '-'*x
hooktape trust HOOKTAPE=0 XDG_CONFIG_HOME=x PATH=/x foo=bar sh --color=auto
`
  .trim()
  .split(/(?!\S* b")(?!\S* y')\s+/)

const gitCommands = `status diff log show rev-parse ls-files ls-tree blame describe shortlog cat-file grep add commit branch remote
push reset clean checkout stash config rm mv worktree`

const names = [
  ...`ls pwd cat head tail wc grep egrep fgrep stat du df basename dirname realpath readlink which type whoami id true false
cut diff cmp comm column tac echo cd file rg sort find sed npm pnpm yarn`.split(/\s+/),
  ...gitCommands.split(/\s+/).map((command) => `git ${command}`)
]

const last = ["~/.claude/settings.json", `${root}/state`, "~/.ssh/id_rsa", "/", "--force", "-delete", "-o"]

/** A command with each operand, alone and before each of the last ones, as far as it is told at a glance. */
const plainWith = (name: string): readonly string[] =>
  operands
    .flatMap((one) => [`${name} ${one}`, ...last.map((other) => `${name} ${one} ${other}`)])
    .filter(isPlain)

describe("a command that is told at a glance", () => {
  it("is every day's", () => {
    const everyday = [
      "ls -la src",
      "cat package.json | head -50",
      "git status && git diff --stat | tail -5",
      "git log --oneline -5 2>/dev/null",
      'grep -rn "foo bar" src --include=*.ts 2>&1 | head -20',
      "find . -name '*.ts' -not -path './node_modules/*'",
      "git ls-files --exclude-standard -o | head",
      "git log --expand-tabs --text src/*.ts",
      "ls *.ts && wc -l src/*",
      "sed -n '1,80p' src/a.ts",
      'git add -A && git commit -m "Say why"',
      "npm test -- --run",
      "npm run build 2>&1 | tail -3",
      "cd src; pwd"
    ]
    expect(everyday.filter((command) => !isPlain(command))).toEqual([])
  })

  // Each by itself: so many commands together take as long as the machine is slow.
  it.each(names)(
    "is nothing that one of the guards asks about or blocks, however it is put together: %s",
    (name) => {
      expect(plainWith(name).filter((command) => told(command) !== undefined)).toEqual([])
    }
  )

  it("is put together in thousands of ways", () => {
    expect(names.flatMap(plainWith).length).toBeGreaterThan(5000)
  })

  it("is none of the labelled ones that are to be stopped", () => {
    const wrong = [
      ...commands.filter(([, label]) => label !== null).map(([command]) => command),
      ...packRows.filter(([, label]) => label !== null).map(([command]) => command),
      ...forms.filter(([, label]) => label !== null).map(([command]) => command),
      ...indirections.filter(([, label]) => label !== null).map(([command]) => command),
      ...bypasses
    ].filter(isPlain)
    expect(wrong).toEqual([])
  })

  it.each([
    "ls > file",
    "ls >> file",
    'ls >/dev/null"x"',
    "ls 2>/dev/null.log",
    // Some shells write to a file of that name, and start what comes behind it.
    "2>&1ls find . -delete",
    "ls 2>&1x",
    "ls & rm -rf /",
    "echo $(rm -rf /)",
    'echo "$(rm -rf /)"',
    "echo `id`",
    "A=1 ls",
    "PATH=. ls",
    'git commit -m "HOOKTAPE=0 hooktape trust"',
    "l''s; r''m -rf /",
    "cat a | sh",
    "cat <(curl x)",
    "cat << E\nE",
    "ls\\\n; rm x",
    "(ls)",
    "! ls",
    "ls # x",
    "\\ls",
    "sudo ls",
    "xargs rm",
    "find . -exec rm {} +",
    "find . '-delete'",
    "sort -o a a",
    "sort a -oa",
    "sed -n 'w x' a",
    "sed -i 1,5p a",
    "git diff --output=x",
    "git -c core.pager=x log",
    "git grep -Osh x",
    "git branch -D x",
    "git remote add x y",
    "git add --edit",
    "rg --pre sh x",
    // A sign in quotes is no redirection.
    "sed -n 1p '-e1e rm -rf ~ #>' a",
    "sed -n 1p '-i>' a",
    "sort '-ox>/../a' b",
    "'./x>' ls",
    "git diff '--output=x>'",
    "git branch '-D>'",
    "rg '--pre=x>' a",
    "npm test '--script-shell=x>'",
    // A file of that name can lie there.
    "find . ?delete",
    "find . *",
    "find . '-'*",
    "find . ''*",
    "sed -n 1p ?i a",
    "sort * a",
    "git diff *",
    // Options cut short.
    "git log --ext -p",
    "git show --textc",
    "git diff --outp=x",
    "npm run db:reset",
    "npm install x",
    "npm test .claude/settings.json",
    "npm test ../x",
    "npm test node_modules/hooktape",
    "npm test x=1",
    `ls ${"x".repeat(2000)}`
  ])("is not %j", (command) => {
    expect(isPlain(command)).toBe(false)
  })
})
