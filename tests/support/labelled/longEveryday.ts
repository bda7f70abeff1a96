/** Long commands that people and agents run every day, and that a guard has no word on: each is longer than some bound was, or is. */

const times = (count: number, piece: (at: number) => string, between = " "): string =>
  Array.from({ length: count }, (_, at) => piece(at)).join(between)

const files = (count: number, folder = "src/features"): string =>
  times(count, (at) => `${folder}/module${at}/component${at}.test.ts`)

/** Prose with some code in it, of so many lines. */
const prose = (lines: number): string =>
  times(lines, (at) => `- Item ${at}: call the \`load${at}\` function, then check that "x > ${at}".`, "\n")

const program = (lines: number): string =>
  times(
    lines,
    (at) =>
      `rows_${at} = [r for r in data if r.get('id') == ${at}]; print('group ${at}', len(rows_${at}), sep=': ')`,
    "\n"
  )

export const longEveryday: Readonly<Record<string, string>> = {
  "a loop over 200 files": `for f in ${files(200)}; do echo "== $f"; npx prettier --check "$f" || true; wc -l "$f" >> counts.txt; done`,
  "a loop that makes 200 files anew": `for f in ${files(200)}; do rm -f "$f.snap"; cp "$f" "out/\${f##*/}"; mv "out/\${f##*/}" "out/\${f##*/}.bak"; done`,
  "a loop that uses its value often": `for f in ${files(200)}; do ${times(20, (at) => `grep -n "x${at}" "$f" >> "log/$f.${at}.txt"`, "; ")}; done`,
  "a loop over 200 files that deletes folders": `for f in ${files(200, "packages")}; do rm -rf "$f/dist" "$f/build"; done`,
  "loops within loops": `for os in linux darwin windows freebsd netbsd openbsd; do for arch in amd64 arm64 386 arm mips ppc64le s390x riscv64; do for mode in debug release; do GOOS=$os GOARCH=$arch go build -o "dist/app-$os-$arch-$mode" ./cmd/app; done; done; done`,
  "a loop over 60 files and 5 sizes": `for f in ${files(60)}; do for s in 16 32 64 128 256; do convert "$f" -resize "\${s}x\${s}" "icons/$f-$s.png"; done; done`,
  "an array of 200 files": `files=(${files(200)}); git add "\${files[@]}"; for f in "\${files[@]}"; do sed -i 's/foo/bar/' "$f"; done; npx eslint "\${files[@]}"`,
  "an array that grows": `args=(); ${times(80, (at) => `args+=(--define "KEY_${at}=value ${at}")`, "; ")}; cmake "\${args[@]}" -S . -B build`,
  "a build with 60 arguments": `docker build ${times(60, (at) => `--build-arg NAME_${at}=value-${at}`)} -t app:dev .`,
  "a container with 60 variables": `docker run --rm ${times(60, (at) => `-e NAME_${at}=value-${at}`)} app:dev npm test`,
  "300 files added": `git add ${files(300)}`,
  "300 files committed": `git commit -m 'Move' -- ${files(300)}`,
  "300 files removed": `rm -f ${files(300)}`,
  "300 files moved": `mkdir -p old && mv ${files(300)} old/`,
  "300 files copied": `cp ${files(300)} old/ && ls old`,
  "60 folders removed": `rm -rf ${times(60, (at) => `packages/p${at}/dist packages/p${at}/node_modules`)}`,
  "60 files printed": `cat ${files(60)}`,
  "a here-document of 20 KB": `cat > docs/notes.md <<'EOF'\n${prose(300)}\nEOF`,
  "a here-document of 20 KB in a commit": `git commit -F - <<'EOF'\n${prose(300)}\nEOF`,
  "a pull request with a long text": `gh pr create --title 'Long' --body "$(cat <<'EOF'\n${prose(100)}\nEOF\n)"`,
  "a comment with a long text": `gh api repos/a/b/issues/1/comments -f body='${times(100, (at) => `Line ${at} of what was found.`)}'`,
  "60 files written": times(
    60,
    (at) => `cat > src/gen/file${at}.ts <<'EOF'\nexport const a${at} = ${at}\nEOF`,
    "\n"
  ),
  "60 files written, one of them a script": `${times(60, (at) => `echo ${at} > gen/file${at}.txt`, "; ")}; printf 'npm test\\n' > run.sh; sh run.sh`,
  "a request with 40 headers": `curl -sS ${times(40, (at) => `-H 'X-Header-${at}: some value of it ${at}'`)} https://api.example.com/v1/things`,
  "a request with a long body": `curl -sS -X POST https://api.example.com/v1/things -H 'content-type: application/json' -d '{${times(300, (at) => `"key${at}": "value ${at}"`, ", ")}}'`,
  "a long program of jq": `jq '${times(120, (at) => `.items[${at}].name as $n${at} | .total += (.items[${at}].count // 0)`, " | ")} | .total' data.json`,
  "80 packages installed": `npm install ${times(80, (at) => `@scope/package-${at}@^${at}.0.0`)}`,
  "80 packages of a system": `sudo apt-get install -y ${times(80, (at) => `lib-some-package-${at}`)}`,
  "a program of 10,000 characters": `python3 -c "\nimport json\ndata = json.load(open('data.json'))\n${program(100)}\n"`,
  "a program of 10,000 characters as a document": `python3 - <<'EOF'\nimport json, subprocess\ndata = json.load(open('data.json'))\n${program(100)}\nsubprocess.run(['git', ${times(100, (at) => `'--opt-${at}'`, ", ")}, 'status'])\nEOF`,
  "a program that goes through 300 names": `python3 - <<'EOF'\nnames = [${times(300, (at) => `'name-${at}.txt'`, ", ")}]\nfor name in names:\n    with open('out/' + name, 'w') as f:\n        f.write(name)\nEOF`,
  "a program of node with a long text": `node -e 'const text = \`${times(60, (at) => `line ${at} of a text about files`)}\`; console.log(text.length)'`,
  "a long list for xargs": `printf '%s\\n' ${files(200)} | xargs -n 1 npx tsc --noEmit`,
  "a long list that xargs deletes": `printf '%s\\n' ${files(200)} | xargs rm -f`,
  "a long list that is read": `while read -r f; do echo "$f"; done <<'EOF'\n${times(300, (at) => `src/file${at}.ts`, "\n")}\nEOF`,
  "a long pipeline": `cat access.log | ${times(16, (at) => `grep -v 'bot${at}'`, " | ")} | sort | uniq -c | sort -rn | head`,
  "many choices of braces": `mkdir -p src/{${times(60, (at) => `part${at}`, ",")}}/{tests,docs}`,
  "ranges of braces": `touch out/file{1..1000}.txt && mkdir -p grid/{1..40}/{1..40}`,
  "many exported variables": `export ${times(60, (at) => `NAME_${at}=value${at}`)}; npm test`,
  "many settings before a command": `env ${times(80, (at) => `NAME_${at}=value${at}`)} npm test`,
  "many temporary files": `${times(15, (at) => `t${at}=$(mktemp)`, "; ")}; echo done`,
  "functions that start each other": `log() { echo "$@"; }; run() { log "$@"; "$@"; }; step() { run "$@"; }; build() { step npm run build; }; all() { build; }; main() { all; }; main`,
  "a function that starts itself": `log() { echo "$1"; }; walk() { log "$1"; for d in "$1"/*; do [ -d "$d" ] && walk "$d"; done; }; walk src`,
  "functions that start each other in turn": `say() { echo "$1"; }; even() { say "$1"; [ "$1" -eq 0 ] || odd $(($1 - 1)); }; odd() { say "$1"; [ "$1" -eq 0 ] || even $(($1 - 1)); }; even 30`,
  "statements of a database": `sqlite3 test.db <<'EOF'\n${times(400, (at) => `INSERT INTO things (id, name) VALUES (${at}, 'thing ${at}');`, "\n")}\nEOF`,
  "pods that are described": `kubectl describe pods ${times(80, (at) => `pod-${at}`)}`,
  "a plan with many variables": `terraform plan ${times(80, (at) => `-var name_${at}=value_${at}`)}`,
  "60 projects looked at": `for d in ${times(60, (at) => `packages/p${at}`)}; do (cd "$d" && git status --short && npm test); done`,
  "a value of 6,000 letters": `notes="${times(200, (at) => `what was found at ${at}, and why.`)}"; echo "$notes" > notes.txt; git commit -m "$notes"`
}
