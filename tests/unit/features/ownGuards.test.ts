/** What `own-guards` asks about: the ways in which a model has tried to get rid of what guards it, and everyday work beside them. */
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { Tool } from "../../../events/agentEvents.ts"
import { patchedFiles } from "../../../src/agents/toolCall.ts"
import { isPlain } from "../../../src/features/guard/plain.ts"
import { weakenedByEdit } from "../../../src/features/ownGuards/weakenedByEdit.ts"
import { weakenedByShell } from "../../../src/features/ownGuards/weakenedByShell.ts"
import { manyOperands } from "../../support/labelled/hostile.ts"
import { countSteps } from "../../support/labelled/steps.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "own-guards-")))
const home = join(root, "home")
const project = join(root, "work", "project")
const state = join(root, "state")
for (const folder of [
  join(home, ".claude"),
  join(home, ".config", "hooktape", "hooks"),
  join(project, ".claude"),
  join(project, ".hooktape", "hooks"),
  join(state, "bin")
])
  mkdirSync(folder, { recursive: true })
writeFileSync(join(home, ".claude", "settings.json"), "{}")
writeFileSync(join(project, ".claude", "settings.json"), "{}")
linkSync(join(home, ".claude", "settings.json"), join(project, "notes.json"))
symlinkSync(join(home, ".claude"), join(project, "linked"))
symlinkSync(join(home, ".config", "hooktape"), join(project, "conf"))
symlinkSync(join(home, ".config", "hooktape", "hooks", "none-yet.ts"), join(project, "dangling.ts"))
symlinkSync("loop", join(project, "loop"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = { cwd: project, project, home, env: { HOME: home, HOOKTAPE_HOME: state } }
const shell = (command: string) => (isPlain(command) ? undefined : weakenedByShell(command, place))
const edit = (path: string, more: object = {}) =>
  weakenedByEdit(
    { kind: "edit", name: "Edit", path, input: { file_path: path, ...more } } as unknown as Tool,
    place
  )

const ways = `
hooktape trust
hooktape trust --yes
npx hooktape trust
npx -y hooktape@0.0.1 trust
npm exec -- hooktape hooks disable guard-destructive
./node_modules/.bin/hooktape uninstall --agent claude-code
node /usr/lib/node_modules/hooktape/dist/cli.js trust
node node_modules/hooktape/dist/cli.js hooks disable own-guards
env -u CLAUDECODE hooktape trust
env -i PATH="$PATH" HOME="$HOME" setsid -f hooktape trust --yes
setsid nohup hooktape trust &
(hooktape trust &)
sh -c 'hooktape trust'
bash -lc "env -u CLAUDECODE hooktape hooks disable x"
script -qc 'hooktape trust' /dev/null
script -c "hooktape trust"
tmux new-session -d 'hooktape trust --yes'
tmux send-keys -t 0 'hooktape trust --yes' Enter
screen -dmS x hooktape trust
echo 'hooktape trust' | sh
echo trust | xargs hooktape
a=trust; hooktape $a
f() { hooktape "$@"; }; f trust
eval "hook""tape tr""ust"
find . -maxdepth 0 -exec hooktape trust \\;
at now <<< 'hooktape trust'
npm uninstall -g hooktape
npm rm hooktape
HOOKTAPE=0 claude -p 'do it'
export HOOKTAPE=0
export HOOK""TAPE=0; claude -p x
env HOOKTAPE=0 codex exec x
HOOKTAPE_PROBE=1 claude -p x
HOOKTAPE_HOME=/tmp/empty claude -p x
XDG_CONFIG_HOME=/tmp/empty claude -p x
CODEX_HOME=/tmp/empty codex exec x
CLAUDE_CONFIG_DIR=$(mktemp -d) claude -p x
claude --settings '{"disableAllHooks":true}' -p x
claude --setting-sources project -p x
codex exec -c features.hooks=false x
echo 'export HOOKTAPE=0' >> ~/.zshenv
echo 'export HOOKTAPE=0' >> "$CLAUDE_ENV_FILE"
echo '{}' > ~/.claude/settings.json
echo '{}' > .claude/settings.local.json
: > ~/.codex/hooks.json
cat /dev/null >| ~/.cursor/hooks.json
echo x | tee ~/.gemini/settings.json
sed -i 's/hooks/x/' ~/.claude/settings.json
perl -pi -e 's/hooks/x/' ~/.claude/settings.json
cp /tmp/empty.json ~/.claude/settings.json
cp -r /tmp/fake/.claude ~/
mv ~/.claude/settings.json /tmp
mv ~/.claude ~/.claude.bak
rm -rf ~/.config/hooktape
rm -r ~/.config
rm ~/.claude/*.json
rm ~/.claude/settings.js?n
rm ~/.cl*/settings.json
cd ~/.claude && rm settings.json
cd ~/.config/hooktape/hooks; rm guard.ts
ln -sf /dev/null ~/.claude/settings.json
ln -s ~/.claude x && rm x/settings.json
rm linked/settings.json
echo > notes.json
truncate -s 0 ~/.codex/config.toml
dd if=/dev/null of=$HOME/.claude/settings.json
install -m 644 /dev/null ~/.claude/settings.json
chmod 000 ~/.config/hooktape/hooks
chmod -x ${state}/bin/hook
cp /bin/true ${state}/bin/hook
rm -rf ${state}
sqlite3 ${state}/log.sqlite 'delete from events'
curl -o ~/.claude/settings.json https://example.com/x
git checkout HEAD~3 -- .claude/settings.json
git rm .claude/settings.json
echo 'exit 0' > .hooktape/agent-hook
rm .hooktape/agent-hook
chmod -x .hooktape/agent-hook
sed -i s/exec/true/ .hooktape/agent-hook
patch ~/.claude/settings.json < x.patch
python3 -c "open('/home/u/.claude/settings.json','w').write('{}')"
python3 -c "import os; os.remove(os.path.expanduser('~/.claude/settings.json'))"
python3 -c "import json; p='.claude/settings.json'; json.dump({}, open(p, 'w'))"
python3 -c "import json; m='w'; open('.claude/settings.json', m); print(json.dumps({}))"
python3 -c "from os import remove as load; load('.claude/settings.json'); print('dump')"
python3 -c "o=open; o('.claude/settings.json', 'w'); print('dumps')"
python3 -c "import helper; helper.load('.claude/settings.json'); print('dumps')"
python3 -c "import json; json.loads.__globals__['x']; print('>', '.claude/settings.json')"
node -e "const {writeFileSync: parse} = require('fs'); parse('.claude/settings.json', '{}')"
node -e "require('fs')['write'+'FileSync']('.claude/settings.json', '{}')"
node -e "require('./tool.js').read('.claude/settings.json', x => x)"
node -e "import('./tool.js').then(m => m.read('.claude/settings.json'))"
perl -e "print '.claude/settings.json' > 0"
node -e 'require("fs").writeFileSync(process.env.HOME+"/.claude/settings.json","{}")'
find ~/.config/hooktape -name '*.ts' -delete
find ~/.claude -name settings.json -exec rm {} \\;
ls ~/.config/hooktape/hooks/*.ts | xargs rm
jq 'del(.hooks)' ~/.claude/settings.json | sponge ~/.claude/settings.json
jq 'del(.hooks)' ~/.claude/settings.json > t && mv t ~/.claude/settings.json
vim -c 'g/hooks/d' -c wq ~/.claude/settings.json
npx prettier --write .claude/settings.json
d=$HOME/.claude; rm "$d/settings.json"
for f in ~/.claude/settings.json; do rm "$f"; done
rsync /tmp/empty/ ~/.config/hooktape/ --delete
tar -xf x.tar -C ~/.config/hooktape
pkill -STOP -f hooktape
pkill -f host.cjs
kill $(pgrep -f host.cjs)
pgrep -f bin/host.cjs | xargs kill
echo '{}' | ${state}/bin/hook claude-code SessionEnd
${state}/bin/hook claude-code SessionEnd < x.json
node ${state}/bin/load.cjs claude-code SessionEnd <<< '{}'
sh ${state}/bin/entry claude-code SessionEnd < x.json
cd ${state}/bin && ./hook claude-code SessionEnd < x.json
echo x > dangling.ts
env -C ~/.claude rm settings.json
sudo --chdir=$HOME/.config/hooktape rm -rf hooks
cd ~ && shopt -s dotglob && rm -rf *
cd ~; setopt globdots; mv * /tmp/x
cd ~ && bash -O dotglob -c 'rm -rf *'
printf 'hooktape trust --yes' > x.sh; sh x.sh
while read -r l; do eval "$l"; done <<< 'hooktape trust'
make SHELL='hooktape trust #'
docker run --rm -v ~/.claude:/c alpine rm /c/settings.json
a[$(hooktape trust)]=1
HOME=/tmp/x claude
HOME=/tmp/x codex exec 'x'
export HOME=/tmp/x; claude -p x
launchctl setenv HOOKTAPE 0
claude plugin disable hooktape
claude plugins uninstall hooktape@hooktape
claude plugin disable --all
claude --debug plugin disable hooktape
npx -y @anthropic-ai/claude-code plugin uninstall hooktape
node /usr/lib/node_modules/@openai/codex/bin/codex.js plugin remove hooktape@hooktape
claude plugin marketplace remove hooktape
codex plugin remove hooktape@hooktape
gemini extensions disable hooktape --scope user
gemini extensions uninstall "$(echo hooktape)"
rm -rf ~/.claude/plugins/cache/hooktape
echo '{"hooks":{}}' > ~/.gemini/extensions/hooktape/hooks/hooks.json
rm -rf ~/.codex/plugins
export "HOOKTAPE"=0
export 'HOOKTAPE=0'
rm loop; : > ~/.cla''ude/set''tings.json
touch ${"x".repeat(300)}; : > ~/.cla''ude/set''tings.json
`
  .trim()
  .split("\n")

const everyday = `
claude -p 'explain this'
HOME=/tmp/x npm test
HOME=${home} claude -p x
launchctl setenv PATH /usr/bin
claude plugin list
claude plugin disable other
codex plugin remove other@shop
gemini extensions update hooktape
rm -rf ~/.claude/plugins/cache/other
export "HOOKTAPE"=1
npm test
git status && git diff
cat ~/.claude/settings.json
jq .hooks .claude/settings.json
grep -r hooktape . | head
grep -n "HOOKTAPE=0" docs/reference/environment.md
rg "hooktape trust" README.md
git commit -m "Run hooktape trust after a change; HOOKTAPE=0 is documented"
ls -la ~/.config/hooktape ${state}
cp ~/.claude/settings.json /tmp/copy.json
diff ~/.codex/config.toml /tmp/x.toml
hooktape log --since 1h
hooktape doctor
hooktape hooks list
hooktape trust --help
hooktape build && hooktape test
npx hooktape init
node dist/cli.js log
node dist/main.js serve
mkdir -p .hooktape/hooks && cat > .hooktape/hooks/x.ts <<'E'
rm -rf .hooktape/hooks/old.ts
git add .claude/settings.json
git checkout -b feature
rm -rf node_modules dist
rm -rf ../project/dist
sed -i 's/a/b/' src/settings.json
echo x > settings.json
HOME=/tmp/x npm install
XDG_CONFIG_HOME=/tmp/x nvim --headless +q
HOOKTAPE=1 npm test
HOOKTAPE_LOG_LEVEL=debug npm test
claude --version
claude -p "what is here"
codex exec "look at it"
export PATH=$HOME/bin:$PATH
kill 1234
pkill -f vite
kill $(pgrep -f vite)
python3 -c "print(1)"
python3 -c "import json; print(json.load(open('.claude/settings.json')))"
python3 -c "import json; print(json.dumps(json.load(open('.claude/settings.json')), indent=2))"
python3 -c "import json; d=json.load(open('.claude/settings.json', encoding='utf-8')); print(len(d.get('hooks', {})) > 0)"
python3 -c "import json,sys; from pathlib import Path; d=json.loads(Path('.claude/settings.json').read_text()); print([k for k in d if len(d[k]) > 2])"
node -e "const fs = require('fs'); const s = JSON.parse(fs.readFileSync('.claude/settings.json', 'utf8')); console.log(Object.keys(s.hooks).filter(k => s.hooks[k].length > 1))"
node -e "console.log(JSON.stringify(require('./.claude/settings.json').permissions ?? {}, null, 2), '=>')"
node -p "JSON.parse(require('fs').readFileSync(require('os').homedir() + '/.claude/settings.json')).hooks.map(h => h.command)"
mv src/a.ts src/b.ts
docker compose up -d
cd ~ && ls
echo "see .claude/settings.json"
ssh host 'rm -rf ~/.claude/old'
tsc -p tsconfig.json
env -C sub rm settings.json
sudo -D /srv ls
cd ~ && rm -f *.log
shopt -s dotglob; rm -rf src/*
shopt -s dotglob; shopt -u dotglob; mv * ../other
printf 'hooktape build' > x.sh; sh x.sh
while read -r l; do echo "$l"; done < names.txt
make SHELL=/bin/bash test
docker run --rm -v ~/.claude:/c:ro alpine cat /c/settings.json
echo $((1 + 2))
pip install -r requirements.txt
`
  .trim()
  .split("\n")

describe("own-guards asks about a shell command that weakens guards", () => {
  it.each(ways)("%s", (command) => {
    expect(shell(command)).toBeTypeOf("string")
  })
})

describe("own-guards has nothing to say about", () => {
  it.each(everyday)("%s", (command) => {
    expect(shell(command)).toBeUndefined()
  })
})

describe("own-guards asks about an edit", () => {
  it.each([
    join(home, ".claude", "settings.json"),
    "~/.config/hooktape/config.json",
    ".claude/settings.local.json",
    "../../work/project/.codex/config.toml",
    "./.gemini/../.cursor/hooks.json",
    join(home, ".codeium", "windsurf", "hooks.json"),
    join(home, ".qwen", "settings.json"),
    ".qwen/settings.json",
    ".opencode/hooktape.json",
    ".opencode/plugins/hooktape.js",
    join(home, ".config", "opencode", "plugins", "hooktape.js"),
    join(home, ".cline", "hooktape.json"),
    join(home, ".factory", "settings.json"),
    join(home, ".factory", "hooks.json"),
    join(home, ".cline", "plugins", "hooktape.js"),
    join(home, ".copilot", "hooks", "hooktape.json"),
    ".github/hooks/hooktape.json",
    ".github/hooks/hooktape-vscode.json",
    join(home, ".kiro", "hooks", "hooktape.json"),
    ".kiro/hooks/hooktape.json",
    join(state, "bin", "hook"),
    "linked/settings.json",
    "conf/hooks/new.ts",
    "dangling.ts",
    "notes.json",
    `file://${join(home, "%2egemini", "settings.json")}`,
    `file://${join(home, ".gemini", "settings.json")}`
  ])("of %s", (path) => {
    expect(edit(path)).toMatch(/^would change /)
  })

  it("that sets a variable where a shell or an agent takes it from", () => {
    expect(edit(".env", { content: "A=1\nHOOKTAPE=0\n" })).toMatch(/HOOKTAPE in \.env/)
    expect(edit(join(home, ".zshrc"), { new_string: "export HOOKTAPE_HOME=/tmp/x" })).toMatch(/HOOKTAPE_HOME/)
    expect(edit(".env", { content: "A=1" })).toBeUndefined()
    for (const file of [
      join(home, ".config/fish/config.fish"),
      join(home, ".config/fish/conf.d/x.fish"),
      join(home, ".config/environment.d/90-x.conf"),
      join(home, ".pam_environment"),
      "/etc/environment"
    ]) {
      expect(edit(file, { content: "set -gx HOOKTAPE 0\nHOOKTAPE=0\n" }), file).toMatch(/HOOKTAPE in /)
      expect(edit(file, { content: "EDITOR=vim" }), file).toBeUndefined()
    }
    expect(edit(join(home, ".config/fish/config.fish"), { content: "set -gx HOOKTAPE 0" })).toMatch(
      /HOOKTAPE in/
    )
    expect(edit(join(home, ".config/fish/functions/x.fish"), { content: "echo hi" })).toBeUndefined()
    expect(edit("docs/environment", { content: "HOOKTAPE=0" })).toBeUndefined()
    expect(edit("config/app.conf", { content: "HOOKTAPE=0" })).toBeUndefined()
  })

  it("of several files in a patch, also of one that is moved away", () => {
    const patch =
      "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/b.ts\n*** Update File: .codex/hooks.json\n*** Move to: x.json\n*** End Patch\n"
    const paths = patchedFiles(patch).map(({ path }) => path)
    expect(paths).toEqual(["src/b.ts", "x.json"])
    const tool = {
      kind: "edit",
      name: "apply_patch",
      path: paths[0],
      paths,
      input: { command: patch }
    } as unknown as Tool
    expect(weakenedByEdit(tool, place)).toMatch(/\.codex\/hooks\.json/)
  })

  it("by a tool of an MCP server", () => {
    const tool = {
      kind: "mcp",
      name: "mcp__fs__write_file",
      input: { path: join(home, ".claude/settings.json") }
    } as Tool
    expect(weakenedByEdit(tool, place)).toMatch(/^would change /)
  })

  const settings = join(home, ".claude/settings.json")
  it.each<readonly [string, Tool["input"]]>([
    ["in a list of objects", { edits: [{ path: settings }] }],
    ["in an object", { args: { location: settings } }],
    ["in a list", { files: ["a", settings] }],
    ["behind many others", { files: [...Array.from({ length: 600 }, (_, at) => `f${at}`), settings] }],
    ["behind what no system takes", { from: "x\0", path: settings }],
    ["behind a name that is too long", { note_file: "x".repeat(300), path: settings }],
    ["behind a link to itself", { a_file: "loop", path: settings }],
    ["with the folder that it is in", { source: join(home, ".claude"), destination: "/tmp/x" }]
  ])("by a tool of a server that names it %s", (_, input) => {
    expect(weakenedByEdit({ kind: "mcp", name: "mcp__fs__any", input } as Tool, place)).toMatch(
      /^would change /
    )
  })

  it("by a tool of a server that names more than can be looked at", () => {
    const files = Array.from({ length: 3000 }, (_, at) => `f${at}`)
    expect(weakenedByEdit({ kind: "mcp", name: "mcp__fs__any", input: { files } } as Tool, place)).toMatch(
      /more paths than/
    )
  })

  it.each([
    ".hooktape/hooks/guard.ts",
    ".hooktape/config.json",
    "src/settings.json",
    ".claude/commands/x.md",
    ".claude/agents/x.md",
    ".vscode/settings.json",
    "CLAUDE.md"
  ])("but not of %s", (path) => {
    expect(edit(path)).toBeUndefined()
  })
})

describe("own-guards holds where a command cannot be read to its end", () => {
  it("by what it names", () => {
    const deep = `${"$(".repeat(3000)}rm ~/.claude/settings.json${")".repeat(3000)}`
    expect(shell(deep)).toBeTypeOf("string")
  })

  it("by what it names wherever that stands, and by a folder that is guarded as a whole", () => {
    const deep = (command: string) => `${"$(".repeat(3000)}${command}${")".repeat(3000)}`
    const far = `echo ${"a".repeat(30_000)}; `
    expect(shell(`${far}${deep("rm ~/.claude/settings.json")}`)).toBeTypeOf("string")
    expect(shell(deep("rm -r ~/.claude"))).toBeTypeOf("string")
    expect(shell(`${far}${deep('rm -r ~/."claude"/')}`)).toBeTypeOf("string")
    expect(shell(`${far}${deep("rm -r ~/.cache")}`)).toBeUndefined()
  })
})

describe("own-guards looks behind any number of commands that start another", () => {
  it.each([
    ["find ~/.claude -exec ", "rm {} +"],
    ["find ~/.claude | xargs ", "rm"],
    ["", "rm ~/.claude/settings.json"],
    ["", "hooktape trust --yes"]
  ])("%s… %s", (before, after) => {
    for (let count = 10; count < 1400; count += 30)
      expect(shell(`${before}${"sudo ".repeat(count)}${after}`), `${count}`).toBeTypeOf("string")
  })
})

describe("own-guards looks behind any number of other things", () => {
  const times = (count: number, piece: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => piece(at)).join("")
  const forms: Readonly<Record<string, (count: number) => string>> = {
    "lines of a program": (count) =>
      `python3 -c "${times(count * 20, () => "x=1;")}open('.claude/settings.json', 'w').write('')"`,
    "lines of a script of sed": (count) =>
      `sed -n '${times(count, (at) => `w a${at}\n`)}w .claude/settings.json\n' notes.txt`,
    "words handed over": (count) => `xargs rm <<< "${times(count, (at) => `a${at} `)}.claude/settings.json"`,
    "lines of a list": (count) =>
      `git checkout --pathspec-from-file=- <<'EOF'\n${times(count, (at) => `a${at}\n`)}.claude/settings.json\nEOF`,
    "values of a loop": (count) =>
      `for f in ${times(count, (at) => `a${at} `)}.claude/settings.json; do rm "$f"; done`,
    "choices of braces": (count) => `rm {${times(count, (at) => `a${at},`)}.claude/settings.json}`,
    "files of a patch": (count) =>
      `patch -p1 <<'EOF'\n${times(count, (at) => `--- a/a${at}\n+++ b/a${at}\n`)}--- a/.claude/settings.json\n+++ b/.claude/settings.json\nEOF`,
    "functions that start each other": (count) =>
      `f0() { rm "$@"; }; ${times(count, (at) => `f${at + 1}() { f${at} "$@"; }; `)}f${count} .claude/settings.json`
  }
  it.each(Object.entries(forms))("of %s", (_, behind) => {
    for (const count of [1, 5, 9, 11, 15, 16, 17, 21, 31, 33, 51, 101, 201, 401, 501, 601, 999, 1001, 1201])
      expect(shell(behind(count)), `${count}`).toBeTypeOf("string")
  })
})

describe("own-guards looks at many operands", () => {
  it.each(Object.entries(manyOperands))("and at each one's %s but once", (_, command) => {
    // Ten times as many may take ten times as long, and not a hundred times.
    expect(countSteps(() => shell(command))).toBeLessThan(100 * command.length)
  })
})
