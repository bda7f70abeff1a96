/** Pack `remote-code`: packages from where anybody on the way may put others in their place. */
import { type Call, type Rule, textsOf } from "../Call.ts"
import { ownHost } from "../ownMachine.ts"
import type { Verdict } from "../rule.ts"
import { unknown } from "../script.ts"
import { valuesOf } from "../shellState.ts"

interface Installer {
  readonly verbs: RegExp
  /** Options and variables that name an index. */
  readonly option: RegExp
  readonly variables?: readonly string[]
  /** An address may be the package itself. */
  readonly takesAddress?: true
}

const python: Installer = {
  verbs: /^(?:install|download|wheel)$/,
  option: /^(?:-i|--index|--index-url|--extra-index-url|--default-index|-f|--find-links)(?:=(.*))?$/s,
  variables: ["PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX"],
  takesAddress: true
}
const node: Installer = {
  verbs: /^(?:install|i|add|ci|exec|dlx|x|create|init|update|upgrade)$/,
  option: /^--registry(?:=(.*))?$/s,
  variables: ["npm_config_registry", "NPM_CONFIG_REGISTRY"]
}

const installers: Readonly<Record<string, Installer>> = {
  pip: python,
  pip3: python,
  uv: python,
  npm: node,
  pnpm: node,
  yarn: node,
  bun: node,
  gem: { verbs: /^(?:install|update)$/, option: /^(?:-s|--source)(?:=(.*))?$/s }
}

const installs: ReadonlySet<string> = new Set(Object.keys(installers))

/** Addresses of one's own machine and network: their names lead nowhere else. */
const nearby = new RegExp(
  String.raw`^(?:[^/@]*@)?(?:${ownHost}|(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+(?![\w.-])|[\w-]+(?![\w.-])|(?:[\w-]+\.)+(?:local|internal|lan|localdomain|test)(?![\w.-]))(?::\d+)?(?:/|$)`,
  "i"
)

const isUnguarded = (address: string): boolean => {
  const [, rest] = /^http:\/\/(.+)/s.exec(address) ?? []
  return rest !== undefined && !rest.startsWith(unknown) && !nearby.test(rest)
}

/** `python3 -m pip` is `pip`. */
const programOf = ({ args, name }: Call): readonly [name: string, words: readonly string[]] => {
  const texts = textsOf(args)
  if (!/^python[\d.]*$/.test(name) || texts[0] !== "-m") return [name, texts]
  return [texts[1] ?? "", texts.slice(2)]
}

export const unreadIndexes: Rule = (call): Verdict | undefined => {
  if (!installs.has(call.name) && !call.name.startsWith("python")) return undefined
  const [name, texts] = programOf(call)
  const installer = Object.hasOwn(installers, name) ? installers[name] : undefined
  if (installer === undefined || call.state.place.off?.includes("remote-code")) return undefined
  if (!texts.some((text) => installer.verbs.test(text))) return undefined
  const told = texts.flatMap((text, at) => {
    const option = installer.option.exec(text)
    if (option !== null) return [option[1] ?? texts[at + 1] ?? ""]
    return installer.takesAddress === true ? [text.replace(/^[\w.[\]-]+ ?@ ?/, "")] : []
  })
  const set = (installer.variables ?? []).flatMap((one) => valuesOf(call.state, one) ?? [])
  const address = [...told, ...set].find(isUnguarded)
  return address === undefined
    ? undefined
    : {
        rule: "remote-code",
        reason: `\`${name}\` installs from ${address.slice(0, 80)}, where anybody on the way may put other code in its place.`
      }
}
