/** Which files a command touches, as `own-guards` reads it: open names, lists that are piped, folders that things go into, and readers that write. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { isPlain } from "../../../src/features/guard/plain.ts"
import { weakenedByShell } from "../../../src/features/ownGuards/weakenedByShell.ts"

const root = realpathSync(mkdtempSync(join(tmpdir(), "own-guards-touched-")))
const home = join(root, "home")
const project = join(root, "work", "project")
const state = join(root, "state")
for (const folder of [
  join(home, ".claude"),
  join(home, ".config", "hooktape", "hooks"),
  join(project, ".claude"),
  join(state, "bin"),
  join(state, "trusted", "sessions")
])
  mkdirSync(folder, { recursive: true })
writeFileSync(join(home, ".claude", "settings.json"), "{}")
writeFileSync(join(project, ".claude", "settings.json"), "{}")
symlinkSync(join(home, ".config", "hooktape"), join(project, "cf"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const place = { cwd: project, project, home, env: { HOME: home, HOOKTAPE_HOME: state } }
const shell = (command: string) => (isPlain(command) ? undefined : weakenedByShell(command, place))
const lines = (text: string): readonly string[] => text.trim().split("\n")

describe("own-guards sees a guarded file behind an open name", () => {
  it.each(
    lines(`
rm -f ~/.config/hooktape/hooks/*.ts
rm ~/.config/hooktape/*.json
rm ~/.config/hooktape/config.jso?
rm ~/.config/hooktape/[c]onfig.json
rm ~/.config/hook*/config.json
rm ~/.conf*/hooktape/hooks/guard.ts
rm ~/.*/hooktape/hooks/guard.ts
rm -rf ~/.config/*
echo '{}' > ~/.config/hooktape/c*g.json
sed -i s/block/allow/ ~/.config/hooktape/hooks/*.ts
cp evil.ts ~/.config/hooktape/hooks/guard*.ts
for f in ~/.config/hooktape/hooks/*; do rm "$f"; done
chmod -x ${state}/bin/*
rm ${state}/trusted/sessions/*.json
cd ${state}/trusted/sessions && rm *
cd ~/.config/hook* && rm config.json
rm cf/hooks/*
rm cf/*.json
rm ~/.config/hooktape/hooks/$UNKNOWN.ts
rm ~/.config/hooktape/$UNKNOWN
cp "$UNKNOWN" ~/.claude/
rm .claude/*
rm -rf .cl*
rm ~/.cl[a][u][d][e]/[s][e][t][t][i]*`)
  )("%s", (command) => {
    expect(shell(command)).toBeTypeOf("string")
  })

  it.each(
    lines(`
rm -f *.log
rm -rf *
rm ~/.config/nvim/*.lua
rm ~/.config/hooktape-old/*
rm .claude/commands/*.md
rm "build/$UNKNOWN.js"
python3 -c "import json,sys; r=json.load(sys.stdin); print(r['a'], r['b'], r['c'], r['d'], r['e'], r['f'], r['g'], r['h'], r['i'])"
node -e "const r = JSON.parse(process.argv[1]); console.log(r['a'][0], r['b'][0], r['c'][0], r['d'][0], r['e'][0], r['f'][0])" "$ROWS"
cat ~/.config/hooktape/hooks/*.ts
rm "$UNKNOWN"`)
  )("but not behind %s", (command) => {
    expect(shell(command)).toBeUndefined()
  })
})

describe("own-guards lets lists and moves pass that only stand near what is guarded", () => {
  it.each(
    lines(`
find . -name '*.pyc' | xargs rm -f
grep -rl foo . | xargs sed -i s/a/b/
rg -l foo . | xargs sed -i s/a/b/
git ls-files . | xargs rm
find . -name node_modules -type d | xargs rm -rf
find ~ -name node_modules -type d | xargs rm -rf
find . -name '*.sh' | xargs chmod +x
find . -name '*.ts' | xargs prettier --write
find . -name '*.pyc' -delete
find . -name '.*.swp' -delete
find . -name .DS_Store -delete
scp -T h:x .
find . -path './src/*' -name '*.ts' -delete
find . -name node_modules -prune -o -type f -print | xargs sed -i s/a/b/
find . -not -path './node_modules/*' -type f | xargs sed -i s/a/b/
rm $(find . -name '*.pyc')
rm $(ls *.log)
tar -xf x.tar
find . -name '*.orig' -exec rm {} +
fd -e pyc . -X rm
mv build/x.zip .
mv ../x .
mv sub/* .
mv "$UNKNOWN" .
mv a ..
ln -s ../x .
ln -s "$PWD" /tmp/link
rsync -a . /tmp/x
rsync -av ./ host:/srv/x/
rsync -a template/ .
cp -r template/. .
cp -t . a b
chmod 755 .
chmod -R u+w .
chmod -R 755 .
chmod -R go-w .
chmod -R u+rwX,go-w .
git -C .claude log > settings.json
mv x.txt ~/
mv x ~/.config/
mv notes.md .claude
cp ~/.claude/settings.json /tmp/copy.json
rsync -a ~/.claude/settings.json /tmp/
scp .claude/settings.json host:/home/u/.claude/settings.json
tar -czf /tmp/x.tgz -C ~/.claude commands
tar -xf x.tar -C .
unzip x -d .`)
  )("%s", (command) => {
    expect(shell(command)).toBeUndefined()
  })

  it.each(
    lines(`
mv ~/.claude /tmp
mv .claude x
mv -t /tmp .claude
mv ~/.config /tmp
rm -rf ~/.config
rm -rf .
find ~/.claude -name 'settings*' | xargs rm
find . -name 'settings*.json' | xargs rm
find ~/.config -name '*.ts' | xargs rm
find ~/.config | xargs rm
find . -maxdepth 1 -name .claude | xargs rm -rf
find . -name '.cl*' -exec rm -rf {} +
fd -H claude . -X rm -rf
cp -R evil/ .claude
find ~/.config -name x -o -type f | xargs rm
find . -path './.claude/*' -delete
find . -regex '.*/settings\\.json' -delete
find ~ -path '*/hooktape/hooks/*' | xargs rm
rm $(find ~/.claude -name 'settings*')
rm $(ls ~/.config/hooktape/hooks/*)
echo .claude | xargs rm -rf
ls ~/.config/hooktape/hooks | xargs rm
mv evil.json .claude/settings.json
mv evil/settings.json .claude
mv -t .claude evil/settings.json
cp -r evil/.claude .
cp -r evil/. .claude
cp -r evil .cursor
cp -l .claude/settings.json x
ln -s ~/.config c
ln -sfn /tmp/evil .claude
rsync -a evil/ ~/.claude/
rsync -a --delete evil/ .
rsync -a --remove-source-files .claude/settings.json /tmp/
chmod 000 .claude
chmod -R 000 .
chmod -R a-r .
chmod -R u= .
chmod -x .claude`)
  )("but not %s", (command) => {
    expect(shell(command)).toBeTypeOf("string")
  })
})

const targets = [".claude/settings.json", "~/.config/hooktape/hooks/guard.ts"]

describe("own-guards asks about a reader that writes", () => {
  it.each(
    lines(`
sed -n 'w T' x
sed -n 'wT' x
sed 's/a/b/w T' x
sed -e p -e 's/a/b/gw T' x
sed --in-place s/a/b/ T
awk '{print > "T"}' x
awk '{print >> "T"}' x
awk -v out=T '{print > out}' x
awk '{print > FILENAME}' T
mawk '{print > "T"}' x
awk '{print | "tee T"}' x
git log -1 --output=T
git diff --output=T
git diff --output T
git archive -o T HEAD
git archive -oT HEAD
sort -o T x
sort -uo T x
sort -oT x
sort --out=T x
sort --output T x
uniq x T
uniq -c x T
xxd -r x T
xxd -r -p x T
less -o T x
tree -o T
find x -fprintf T '{}'
find x -fprint T
python3 -m json.tool x T
npx biome check --write T
npx biome format --fix T
npx eslint --fix T
npx prettier -w T`).flatMap((line) => targets.map((target) => line.replace("T", target)))
  )("%s", (command) => {
    // The home directory is what a program itself would have been told.
    const written = command.replace(/(["'=wo]|w |tee )~\//g, `$1${home}/`)
    expect(shell(written)).toBeTypeOf("string")
  })

  it.each(
    lines(`
find .claude -name 'settings*' -exec rm {} +
find .claude -name 'settings*' -exec rm {} \\;
find ~/.claude -delete
find . -name settings.json -delete
find . -samefile .claude/settings.json -delete
fd settings ~/.claude -X rm
fd -H -t f settings . -X rm
dd if=x of=~/.claude/settings.json
fd settings ~/.claude --exec-batch=rm
cp -rT evil ~/.claude
curl --output-dir ~/.claude -o settings.json https://example.com/x
cd ~/.claude && curl -O https://example.com/settings.json
wget -P ~/.claude https://example.com/settings.json
wget --directory-prefix=${home}/.claude https://example.com/settings.json
tar -xf x -C ~/.claude
tar -xf x --directory=${home}/.claude
unzip x -d ~/.claude
scp h:settings.json ~/.claude/
cd ~/.claude && tar -xf x
cd ~/.config/hooktape/hooks && curl -O https://example.com/guard.ts
git -C .claude diff --output=settings.json
git -C .claude checkout -- settings.json
sed -l 5 -n 'w .claude/settings.json' x
scp h:/tmp/settings.json .claude`)
  )("%s", (command) => {
    expect(shell(command)).toBeTypeOf("string")
  })
})

describe("own-guards lets a guarded file be read", () => {
  it.each(
    lines(`
python3 -m json.tool T
python3 -m json.tool --indent 2 T
md5sum T
b2sum T
npx biome check T
npx biome format T
npx prettier --check T
npx eslint T
sed -n 1,5p T
sed -n '/hooks/p' T
awk '{print $1}' T
awk '$1 > 3' T
awk 'BEGIN { while ((getline line < "T") > 0) n++; print n }'
sort T
sort -u T
uniq T
uniq -f 1 T
xxd T
xxd -l 16 T
git log -1 -- T
git diff T
less T
find T -type f`).flatMap((line) => targets.map((target) => line.replace("T", target)))
  )("%s", (command) => {
    expect(shell(command)).toBeUndefined()
  })
})
