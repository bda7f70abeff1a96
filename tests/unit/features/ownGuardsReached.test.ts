/** What `own-guards` says where nothing guarded is there yet: commands that make its folder or fill the one above it, and links that lead to it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import type { Tool } from "../../../events/agentEvents.ts"
import { isPlain } from "../../../src/features/guard/plain.ts"
import { weakenedByEdit } from "../../../src/features/ownGuards/weakenedByEdit.ts"
import { weakenedByShell } from "../../../src/features/ownGuards/weakenedByShell.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "own-guards-reached-")))
const home = join(root, "home")
const project = join(root, "work", "project")
for (const folder of [join(home, ".claude"), join(home, ".config", "nvim"), join(project, "src")])
  mkdirSync(folder, { recursive: true })
writeFileSync(join(home, ".claude", "settings.json"), "{}")
symlinkSync(home, join(project, "build"))
symlinkSync("build", join(project, "again"))
symlinkSync(join(home, ".config", "later"), join(project, "later"))
symlinkSync("hooktape", join(home, ".config", "later"))
symlinkSync(join(home, ".config", "nvim"), join(project, "nvim"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = { cwd: project, project, home, env: { HOME: home } }
const shell = (command: string) => (isPlain(command) ? undefined : weakenedByShell(command, place))
const lines = (text: string): readonly string[] => text.trim().split("\n")

describe("own-guards asks about a folder that is made or filled", () => {
  it.each(
    lines(`
git clone https://example.com/x.git ~/.config/hooktape
git clone --depth 1 https://example.com/x ~/.config/hooktape/hooks
git -C ~/.config clone https://example.com/x hooktape
git -C ~/.config clone --depth=1 https://example.com/hooktape.git
cd ~/.config && git clone git@example.com:x/hooktape.git
git clone x ~/.local/state/hooktape/x
git clone x ~/.claude
git init ~/.config/hooktape
git -C ~/.config/hooktape pull
cd ~/.config/hooktape && git merge evil
mkdir -p ~/.config/hooktape; cd $_; echo '{}' > config.json
mkdir -p ~/.config/hooktape && echo '{}' > "$_/config.json"
test -d ~/.config/hooktape; rm -rf $_
cp -r /tmp/c/. ~/.config
cp -rT /tmp/c ~/.config
rsync -a /tmp/c/ ~/.config/
rsync -a /tmp/c/ ~/.local/state
tar x -C ~/.config -f x.tar
tar -xzf x.tgz --directory=${home}/.config
cd ~/.config && tar -xf /tmp/x.tar
cd ~/.config && unzip /tmp/x.zip
unzip x.zip -d ~/.config
unzip x.zip -d ~/.config/hooktape
bsdtar -xf x.zip -C ~/.config
patch -d ~/.claude -p1 < x.patch
patch --directory=${home}/.config/hooktape < x.patch
cd ~/.claude && patch < /tmp/x.patch
find ~ -name settings.json -exec sed -i s/hooks/x/ {} +
find ~ -name settings.json -exec sed -i s/hooks/x/ {} \\;
rm build/.config/hook*/config.json
rm -rf build/.config
mv again/.config /tmp/x
find ~ -name settings.json -exec env sed -i s/a/b/ {} +
fd -H settings.json ~ -x sed -i s/a/b/
strace -o ~/.config/hooktape/config.json true
strace -o.claude/settings.json true
strace -f -o .claude/settings.json ls
ltrace -o ~/.claude/settings.json ls
time -o .claude/settings.json ls
/usr/bin/time -o .claude/settings.json ls
script -q .claude/settings.json ls
valgrind --log-file=.claude/settings.json ls`)
  )("%s", (command) => {
    expect(shell(command)).toBeTypeOf("string")
  })

  it.each(
    lines(`
git clone https://example.com/x
git clone https://example.com/hooktape.git
git clone https://example.com/x ~/src/x
git clone https://github.com/NvChad/starter ~/.config/nvim
git -C ~/.config clone https://example.com/x nvim
git -C src pull
git merge origin/main
git pull --rebase
git init
mkdir -p build; cd $_; echo '{}' > config.json
mkdir -p src/a && touch $_/b
cp -r /tmp/c/. ~/.config/nvim
cp -r nvim-config ~/.config/
cp -r template/. .
rsync -a /tmp/c/ ~/bin/
tar -xzf nvim.tgz -C ~/.local --strip-components=1
tar x -C ~/.config/nvim -f x.tar
tar -xf x.tar
tar -cf /tmp/x.tar -C ~/.config .
unzip x.zip -d ~/fonts
patch -p1 < x.patch
patch -d src -p1 < x.patch
find . -name '*.ts' -exec sed -i s/a/b/ {} +
find ~ -name settings.json -exec grep -l hooks {} +
find ~ -name settings.json -exec sed -n 1,5p {} +
find ~ -name settings.json -exec cat {} \\;
rm build/.config/nvim/*.lua
rm -rf build/.config/nvim
rm build
rm -f nvim
strace -o /tmp/trace ls ~/.config
strace -e trace=file cat ~/.claude/settings.json
time ls ~/.claude
script -q /tmp/x cat .claude/settings.json`)
  )("but not about %s", (command) => {
    expect(shell(command)).toBeUndefined()
  })
})

const behindLinks = [
  "build/.config/hooktape/config.json",
  "again/.config/hooktape/hooks/x.ts",
  "later/config.json",
  "build/.codex/config.toml",
  "build/.local/state/hooktape/x",
  "./build/./.config//hooktape/config.json",
  "nvim/../hooktape/config.json"
]

describe("own-guards follows a link to what is not there yet", () => {
  const tool = (kind: string, name: string, input: object): Tool =>
    ({ kind, name, input, ...(kind === "edit" ? { path: Object.values(input)[0] } : {}) }) as Tool
  it.each(behindLinks)("%s", (path) => {
    expect(shell(`echo '{}' > ${path}`), "redirected").toBeTypeOf("string")
    expect(shell(`cp /tmp/x ${path}`), "copied").toBeTypeOf("string")
    expect(
      weakenedByEdit(tool("edit", "Write", { file_path: path, content: "" }), place),
      "written"
    ).toBeTypeOf("string")
    expect(
      weakenedByEdit(tool("mcp", "mcp__fs__write_file", { path, content: "" }), place),
      "by a server"
    ).toBeTypeOf("string")
  })

  it.each(["build/.config/nvim/init.lua", "nvim/init.lua", "nvim/../x.lua", "src/../README.md"])(
    "but not %s",
    (path) => {
      expect(shell(`echo '{}' > ${path}`)).toBeUndefined()
      expect(weakenedByEdit(tool("edit", "Write", { file_path: path, content: "" }), place)).toBeUndefined()
    }
  )
})

describe("own-guards finds the path in whatever an edit calls it", () => {
  const settings = join(home, ".claude", "settings.json")
  const call = (kind: string, name: string, input: object): Tool => ({ kind, name, input }) as Tool
  it.each([
    call("edit", "MultiEdit", { edits: [{ file_path: settings, old_string: "a", new_string: "b" }] }),
    call("edit", "Write", { path: settings, content: "" }),
    call("edit", "write_file", { path: settings, content: "" }),
    call("edit", "write_file", { absolute_path: settings, content: "" }),
    call("mcp", "mcp__fs__move_file", { source: home, destination: "/tmp/x" }),
    call("mcp", "mcp__fs__moveFile", { from: home, to: "/tmp/x" }),
    call("mcp", "mcp__fs__delete", { path: home }),
    call("mcp", "mcp__fs__remove_directory", { path: join(home, ".config") }),
    call("mcp", "mcp__fs__rename", { old_path: "build/.config", new_path: "x" }),
    call("mcp", "mcp__fs__files", { operation: "delete", path: home }),
    call("mcp", "mcp__fs__delete", { path: project })
  ])("%j", (tool) => {
    expect(weakenedByEdit(tool, place)).toBeTypeOf("string")
  })

  it.each([
    call("edit", "MultiEdit", { file_path: "src/a.ts", edits: [{ old_string: settings, new_string: "b" }] }),
    call("edit", "Write", { file_path: "src/a.ts", content: settings }),
    call("edit", "Write", { path: "notes.md", content: `see\n${settings}` }),
    call("mcp", "mcp__fs__list_directory", { path: home }),
    call("mcp", "mcp__fs__search_removed", { path: home }),
    call("mcp", "mcp__trash__list", { path: home }),
    call("mcp", "mcp__fs__move_file", { source: "src/a.ts", destination: home }),
    call("mcp", "mcp__fs__delete", { path: "src" }),
    call("mcp", "mcp__fs__delete", { path: join(home, ".config", "nvim") }),
    call("mcp", "mcp__git__log", { path: project })
  ])("but nothing in %j", (tool) => {
    expect(weakenedByEdit(tool, place)).toBeUndefined()
  })
})

describe("own-guards guards hooktape itself, as it is installed", () => {
  const there = join(project, "node_modules", "hooktape", "dist")
  mkdirSync(there, { recursive: true })
  writeFileSync(join(there, "cli.js"), "")
  writeFileSync(join(there, "..", "package.json"), JSON.stringify({ name: "hooktape" }))
  mkdirSync(join(project, "node_modules", ".bin"))
  symlinkSync("../hooktape/dist/cli.js", join(project, "node_modules", ".bin", "hooktape"))
  mkdirSync(join(root, "evil"))
  writeFileSync(join(root, "evil", "package.json"), JSON.stringify({ name: "hooktape" }))
  const checkout = join(root, "checkout", "dist")
  mkdirSync(checkout, { recursive: true })
  writeFileSync(join(checkout, "cli.js"), "")
  mkdirSync(join(home, ".local", "state", "hooktape", "projects"), { recursive: true })
  const manifest = join(home, ".local", "state", "hooktape", "projects", "user.json")
  writeFileSync(manifest, JSON.stringify({ cli: join(checkout, "cli.js") }))

  it.each(
    lines(`
echo x > node_modules/hooktape/dist/cli.js
sed -i s/block/allow/ node_modules/hooktape/dist/src/features/guard/classify.js
sed -i s/block/allow/ node_modules/hooktape/dist/*.js
rm -rf node_modules/hooktape
mv node_modules/hooktape /tmp/x
cp evil.js node_modules/hooktape/dist/host.cjs
cp -r evil/. node_modules/hooktape
rm -rf /usr/lib/node_modules/hooktape/dist
cd node_modules/hooktape && echo x > dist/cli.js
echo x > node_modules/.bin/hooktape
echo x > node_modules/.pnpm/hooktape@0.1.0/node_modules/hooktape/dist/cli.js
sed -i s/a/b/ ${checkout}/host.cjs
npm install hooktape@file:../evil
npm i ./evil.tgz
npm i ../../evil
npm i -g /tmp/evil.tgz
npm i hooktape@npm:evil
pnpm add hooktape@link:../evil
yarn add hooktape@https://example.com/x.tgz
npm link hooktape
ln -s node_modules/.bin/hooktape ht; ./ht uninstall
cp node_modules/.bin/hooktape /tmp/ht; /tmp/ht trust --yes
cp node_modules/hooktape/dist/cli.js /tmp/ht.js; node /tmp/ht.js trust --yes
node node_modules/hooktape/dist/cli.js trust
node node_modules/.bin/hooktape trust
node node_modules/hooktape trust --yes
cd node_modules/hooktape && node . trust --yes
pnpm hooktape trust
pnpm exec hooktape trust
pnpm -s run hooktape trust
yarn hooktape hooks disable own-guards
bun hooktape uninstall
bun run hooktape uninstall
echo hooktape trust | xargs npx
echo trust --yes | xargs npx hooktape`)
  )("%s", (command) => {
    expect(shell(command)).toBeTypeOf("string")
  })

  it.each(
    lines(`
npm ci
npm install
npm update
npm i
npm i hooktape
npm i -D hooktape@latest
npm install hooktape@^0.1.0
npm i ../lib
npm i lodash @types/node
npm link
rm -rf node_modules
rm -rf node_modules/*
rm -rf node_modules/hooktape-plugin
mv node_modules /tmp/x
node node_modules/hooktape/dist/cli.js log
node node_modules/.bin/hooktape doctor
cat node_modules/hooktape/package.json
grep -rn guard node_modules/hooktape/dist
cp node_modules/hooktape/README.md /tmp/x
hooktape host stop
npx hooktape log
pnpm hooktape log
pnpm hooktape doctor --json
yarn hooktape build
yarn add hooktape
pnpm add -D hooktape
bun add hooktape
echo lodash | xargs npm i
echo x > dist/cli.js
rm -rf dist
cp -r dist/ /tmp/x`)
  )("but not %s", (command) => {
    expect(shell(command)).toBeUndefined()
  })

  it("from edits and tools of servers", () => {
    const file = "node_modules/hooktape/dist/worker.cjs"
    const write = (kind: string, path: string): Tool => ({ kind, name: "write", input: { path } }) as Tool
    for (const path of [file, join(checkout, "cli.js")]) {
      expect(weakenedByEdit(write("edit", path), place), path).toBeTypeOf("string")
      expect(weakenedByEdit(write("mcp", path), place), path).toBeTypeOf("string")
    }
    expect(weakenedByEdit(write("edit", "dist/cli.js"), place)).toBeUndefined()
    expect(weakenedByEdit(write("edit", "node_modules/other/dist/cli.js"), place)).toBeUndefined()
  })
})
