/** Commands that are another command by another name: `cmake -E rm`, `ruby -run -e rm`, `nix run nixpkgs#git`. */
import { type Argument, first } from "./expand.ts"

const word = (text: string): Argument => ({ values: [text], word: [{ kind: "text", text, quoted: false }] })
const words = (text: string): readonly Argument[] => text.split(" ").map(word)

type Rename = (args: readonly Argument[]) => readonly Argument[] | undefined

const byCmake: Readonly<Record<string, string>> = {
  rm: "rm",
  remove: "rm",
  remove_directory: "rm -rf",
  rename: "mv",
  copy: "cp",
  copy_directory: "cp -r",
  env: "env",
  time: "env",
  chdir: "env -C"
}

const cmake: Rename = ([option, verb, ...rest]) => {
  const name = option !== undefined && first(option) === "-E" && verb !== undefined ? first(verb) : ""
  const renamed = Object.hasOwn(byCmake, name) ? byCmake[name] : undefined
  return renamed === undefined ? undefined : [...words(renamed), ...rest]
}

/** The library `un` of ruby has the commands of a shell. */
const ruby: Rename = (args) => {
  const texts = args.map(first)
  if (!texts.includes("-run")) return undefined
  const at = texts.findIndex((text) => /^-e/.test(text))
  const name = texts[at] === "-e" ? texts[at + 1] : texts[at]?.slice(2)
  if (at < 0 || !/^(?:rm|mv|cp|ln|install|chmod|rmdir|touch|mkdir)$/.test(name ?? "")) return undefined
  const rest = args.slice(texts[at] === "-e" ? at + 2 : at + 1)
  return [word(name as string), ...rest.filter((arg) => first(arg) !== "--")]
}

/** A package of nix is started by its name. */
const nix: Rename = (args) => {
  const texts = args.map(first)
  const at = texts.findIndex((text) => !text.startsWith("-"))
  if (texts[at] !== "run") return undefined
  const name = texts.slice(at + 1).find((text) => !text.startsWith("-"))
  const dash = texts.indexOf("--", at)
  const base = name === undefined ? "" : name.replace(/^.*[#/]/, "")
  return dash < 0 || base === "" ? undefined : [word(base), ...args.slice(dash + 1)]
}

/** Behind `--` stands what bash is given. */
const capsh: Rename = (args) => {
  const dash = args.findIndex((arg) => first(arg) === "--")
  return dash < 0 ? undefined : [word("bash"), ...args.slice(dash + 1)]
}

const just: Rename = ([option, ...rest]) =>
  option !== undefined && /^(?:-c|--command)$/.test(first(option)) ? rest : undefined

/** `hatch env run -- x` is `hatch run x`. */
const hatch: Rename = ([env, run, ...rest]) => {
  if (env === undefined || run === undefined || first(env) !== "env" || first(run) !== "run") return undefined
  const dash = rest.findIndex((arg) => first(arg) === "--")
  return [...words("hatch run"), ...rest.slice(dash + 1)]
}

/** `--exec /bin/rm -- -rf x`. */
const daemon: Rename = (args) => {
  const texts = args.map(first)
  const at = texts.findIndex((text) => /^(?:-x|-a|--exec|--startas)$/.test(text))
  const dash = texts.indexOf("--")
  const program = at < 0 || !texts.some((text) => /^(?:-S|--start)$/.test(text)) ? undefined : args[at + 1]
  return program === undefined ? undefined : [program, ...(dash < 0 ? [] : args.slice(dash + 1))]
}

/** The loader starts the program that it is given. */
const loader: Rename = (args) => {
  const at = args.findIndex((arg) => !first(arg).startsWith("-"))
  return at < 0 ? undefined : args.slice(at)
}
const isLoader = /^ld(?:-linux[\w-]*|-musl-[\w-]+)?\.so(?:\.\d+)?$/

const recursive =
  (name: string): Rename =>
  (args) => [...words(name), ...args]

/** With a switch behind a slash it is the command prompt's. */
const del: Rename = (args) =>
  args.some((arg) => /^\/[a-zA-Z](?::|$)/.test(first(arg))) ? undefined : recursive("rm -rf")(args)

/** `npm explore left-pad -- cmd`. */
const npm: Rename = (args) => {
  const texts = args.map(first)
  const dash = texts.indexOf("--")
  return dash > 0 && texts.find((text) => !text.startsWith("-")) === "explore"
    ? args.slice(dash + 1)
    : undefined
}

/** The files that package managers are, which scripts find in a variable, and projects bring; of another folder a file is somebody's own. */
const managerFile =
  /[/\\](?:node_modules|\.yarn[/\\]releases)[/\\](?:.*[/\\])?(npm|npx|pnpm|pnpx|yarn|corepack)(?:-cli|-\d[\d.]*)?\.c?js$/

const byFile = (path: string, args: readonly Argument[]): readonly Argument[] | undefined => {
  const [, name] = managerFile.exec(`/${path}`) ?? []
  return name === undefined ? undefined : [word(name), ...args]
}

const node: Rename = ([script, ...args]) => byFile(script === undefined ? "" : first(script), args)

const renames: Readonly<Record<string, Rename>> = {
  cmake,
  capsh,
  hatch,
  just,
  npm,
  node,
  "start-stop-daemon": daemon,
  ruby,
  nix,
  "del-cli": recursive("rm -rf"),
  del,
  "rm-cli": recursive("rm -rf")
}

/** The command as it is better known, where this is one by another name. `path`: as it was written. */
export const renamed = (
  name: string,
  args: readonly Argument[],
  path: string
): readonly Argument[] | undefined =>
  Object.hasOwn(renames, name)
    ? renames[name]?.(args)
    : isLoader.test(name)
      ? loader(args)
      : byFile(path, args)
