/** What `own-guards` reads of commands that name a folder, hand names on, or reach a file by another way, where the file itself is not named. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { isPlain } from "../../../src/features/guard/plain.ts"
import { weakenedByShell } from "../../../src/features/ownGuards/weakenedByShell.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "own-guards-folders-")))
const home = join(root, "home")
const project = join(root, "work", "project")
const bare = join(root, "work", "bare")
for (const folder of [join(home, ".claude"), join(project, ".claude"), join(project, "src"), bare])
  mkdirSync(folder, { recursive: true })
writeFileSync(join(home, ".claude", "settings.json"), "{}")
writeFileSync(join(project, ".claude", "settings.json"), "{}")
writeFileSync(join(project, "paths.txt"), "src\n.claude\n")
writeFileSync(join(project, "others.txt"), "src\n")
afterAll(() => rmSync(root, { recursive: true, force: true }))

const env = { HOME: home, HOOKTAPE_HOME: join(root, "state") }
const shell = (command: string, cwd = project) =>
  isPlain(command) ? undefined : weakenedByShell(command, { cwd, project: cwd, home, env })
const lines = (text: string): readonly string[] => text.trim().split("\n")

describe("own-guards asks about a folder that git takes away, puts away or brings back", () => {
  it.each(
    lines(`
git rm -r .claude
git rm -r --force -- ./.claude/
git rm -r ':(top).claude'
git rm -rf .
git rm -r ':!src'
git rm -r .claude ':!src'
git mv .claude kept
git -C ~ mv .claude kept
git clean -fdx .claude
git clean -fd -e '*.log' .claude
git checkout HEAD~1 -- .claude
git checkout main .claude
git restore --source=HEAD~3 .claude
git restore --staged --worktree .claude
git stash push .claude
git stash push -m wip -- .claude
git stash -- .claude
cd ~ && git checkout old -- .config
git checkout-index -f .claude/settings.json
git checkout-index -nf .claude/settings.json
git rm -r '*'
git rm -r "*.json"
git rm '.claude/*'
git rm -r '?claude'
cd src && git rm -r ':/*.json'
cd src && git rm ':(top,glob)**/settings.json'
git checkout HEAD~5 -- '*'
git checkout HEAD~5 -- '*.json'
git checkout HEAD~5 -- .
git restore -s HEAD~5 .
git restore --source main -- '*'
git rm -r ':(icase).CLAUDE'
git --icase-pathspecs rm -r .CLAUDE
git --work-tree=.claude checkout x -- settings.json
git --work-tree .claude checkout x -- settings.json
GIT_WORK_TREE=.claude git checkout x -- settings.json
git -c core.worktree=.claude checkout x -- settings.json
echo .claude > list; git rm -r --pathspec-from-file=list
echo .claude/settings.json | git checkout HEAD~5 --pathspec-from-file=-
git rm -r --pathspec-from-file=paths.txt
git reset --hard && git rm .claude/settings.json
git -C ~/.config/hooktape checkout main
git -C ~/.config/hooktape stash
git -C ~/.config/hooktape reset --hard v1`)
  )("%s", (command) => expect(shell(command)).toBeTypeOf("string"))

  it.each(
    lines(`
git rm -r src
git rm -r src ':!src/keep'
git rm -r src ':(exclude)src/keep' ':(top,exclude).claude' ':^.claude' ':/!.claude'
git rm -r --cached .claude
git rm -rn .claude
git mv src lib
git clean -fdx
git clean -fdx src
git clean -nd .claude
git clean -fd -e .claude .
git checkout main
git checkout HEAD~1 -- src
git checkout -- .
git checkout HEAD -- ':!.claude'
git restore .
git restore --staged .claude
git stash
git stash push -m .claude
git add .claude
git rm --cached .claude/settings.local.json
git rm --cached .claude/settings.json
git restore --staged .claude/settings.json
git restore -S -- .claude/settings.json
git reset HEAD .claude/settings.json
git reset -q -- .claude/settings.json
git rm -rn .claude/settings.json
git rm -r '*.orig'
git rm -r 'src/*'
git rm -r ':(literal)*.json'
git checkout -- '*'
git checkout HEAD -- .
git restore '*'
git checkout HEAD~5 -- 'src/*.json'
git checkout HEAD~5 -- . ':!.claude'
git --work-tree=src checkout x -- settings.json
git rm --pathspec-from-file=none.txt
git rm --pathspec-from-file=others.txt
git stash push -- src
git diff HEAD~1 -- .claude`)
  )("but not about %s", (command) => expect(shell(command)).toBeUndefined())

  it("deletes all of a project without a question where nothing in it guards an agent", () =>
    expect(shell("git rm -rf .", bare)).toBeUndefined())
})

describe("own-guards asks about a file that is handed on", () => {
  it.each(
    lines(`
xargs rm <<< ~/.claude/settings.json
xargs -I{} mv {} /tmp <<< "$HOME/.claude/settings.json"
xargs rm < <(echo ~/.claude/settings.json)
xargs -a <(echo ~/.claude/settings.json) unlink
xargs -0 rm -rf <<< ~/.claude
docker run -v $HOME/.claude:/c alpine sh -c 'echo {} > /c/settings.json'
docker run -v ~:/h alpine sh -c 'cd /h && : > .claude/settings.json'
docker run -w /c -v ~/.claude:/c alpine sh -c 'date >> settings.json'
crontab -l | { cat; echo '* * * * * hooktape uninstall'; } | crontab -
(crontab -l; echo "0 1 * * * npx hooktape trust --yes") | crontab -`)
  )("%s", (command) => expect(shell(command)).toBeTypeOf("string"))

  it.each(
    lines(`
xargs rm <<< 'build/a.o build/b.o'
xargs rm < <(echo build/a.o)
xargs ls <<< ~/.claude/settings.json
echo . | xargs tar czf x.tgz
docker run -v $HOME/.claude:/c:ro alpine sh -c 'cat /c/settings.json > /tmp/x'
docker run -v "$PWD:/w" alpine sh -c 'echo hi > /w/log.txt'
crontab -l | { cat; echo '* * * * * backup'; } | crontab -`)
  )("but not about %s", (command) => expect(shell(command)).toBeUndefined())
})

describe("own-guards lets a variable pass that is only written about", () => {
  it.each(
    lines(`
echo "set HOOKTAPE=0 to switch it off" >> README.md
printf 'HOOKTAPE=0 is read at start\\n' | tee -a docs/faq.txt
grep -rn HOOKTAPE=0 . 2>/dev/null
grep -rn HOOKTAPE=0 . 2>&1
gh issue create --title x --body "HOOKTAPE=0 does nothing"`)
  )("%s", (command) => expect(shell(command)).toBeUndefined())

  it.each(
    lines(`
echo 'export HOOKTAPE=0' >> ~/.zshenv
echo HOOKTAPE=0 > .env
echo HOOKTAPE=0 | tee -a .env.local
echo HOOKTAPE=0 > "$FILE"
echo HOOKTAPE=0 >> README.md; source README.md`)
  )("but not %s", (command) => expect(shell(command)).toBeTypeOf("string"))
})
