/** Packs `credentials` and `filesystem`: files that decide who may log in and what runs then, and files that are emptied. */

import { type Call, nameOf, type Rule, readOptions, shown, textsOf } from "../Call.ts"
import { isCache } from "../caches.ts"
import { isData, isEnvironment, isKeptSecret, isWork } from "../emptiedHere.ts"
import { expand, first } from "../expand.ts"
import { within } from "../folders.ts"
import { handedText } from "../input.ts"
import { writtenFiles } from "../outputs.ts"
import { absolute, isTemporary } from "../paths.ts"
import type { Verdict } from "../rule.ts"
import { unknown } from "../script.ts"
import { isSecretPath } from "../secretPaths.ts"
import { crontab } from "./crontab.ts"
import { emptied } from "./emptied.ts"
import { isVital } from "./vitalFiles.ts"

const login =
  /\/\.ssh\/(?:authorized_keys2?|rc|environment)$|^\/etc\/(?:sudoers(?:\.d\/.*)?|passwd|shadow|gshadow|group|ssh\/sshd_config(?:\.d\/.*)?|pam\.d\/.*|security\/.*|postgresql\/.*pg_hba\.conf|ld\.so\.preload|ld\.so\.conf|profile(?:\.d\/.*)?|bash\.bashrc|zsh\/.*|zshrc|zprofile|environment|rc\.local|crontab|cron\.\w+\/.*|init\.d\/.*|systemd\/system\/.*|hosts\.(?:allow|deny|equiv)|polkit-1\/.*)$|^\/var\/spool\/cron\/|^\/root\/\.(?:bashrc|profile|ssh\/.*)$/
const start =
  /^\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zprofile|zshenv|zlogin|zlogout|kshrc|cshrc|tcshrc|login|xprofile|xinitrc|xsession|inputrc|pam_environment|rhosts|netrc|git-credentials|pypirc)$|^\.config\/(?:fish\/(?:config\.fish|conf\.d\/.*)|autostart\/.*|systemd\/user\/.*|git\/credentials)$|^Library\/Launch(?:Agents|Daemons)\/|^\.ssh\/config$/
/** Emptied or overwritten, these are gone. */
const kept =
  /^\/(?:etc\/(?:fstab|hosts|resolv\.conf|hostname|crypttab|machine-id|ssl\/.*|nsswitch\.conf|letsencrypt\/.*)|boot\/.*|var\/log\/.*|var\/lib\/.*|usr\/.*|s?bin\/.*|lib(?:64)?\/.*|proc\/sys.*|sys\/.*)$|\.(?:db|sqlite3?|mdb|kdbx|tfstate)$/

const isBelowHome = (path: string, { state }: Call): string | undefined =>
  within(path, state.place.home)
    ? path.slice(state.place.home.length + 1)
    : /^\/(?:home|Users)\/[^/]+\/(.+)/.exec(path)?.[1]

const said = (rule: Verdict["rule"], path: string, what: string): Verdict => ({
  rule,
  reason: `${shown(path)} ${what}.`
})

/** What writing to a file means; `empties`: what was in it is gone. */
const written = (text: string, call: Call, empties: boolean): Verdict | undefined => {
  const path = text.startsWith(unknown) ? undefined : absolute(text, call.state)
  if (path === undefined || (call.state.remote && !login.test(path))) return undefined
  const ofHome = isBelowHome(path, call)
  if (login.test(path) || (ofHome !== undefined && start.test(ofHome)))
    return {
      ...said("credentials", path, "decides who may log in, or what runs then"),
      ...(empties && /^\/etc\/(?:passwd|shadow|sudoers|group)$/.test(path)
        ? { action: "block" as const }
        : {})
    }
  if (!empties || isTemporary(path, call.state)) return undefined
  if (ofHome !== undefined && isSecretPath(path) && !within(path, call.state.place.project))
    return said("credentials", path, "is overwritten, and holds credentials")
  return kept.test(path) ? said("overwrite", path, "is overwritten") : undefined
}

const redirected = (call: Call): Verdict | undefined => {
  for (const { operator, target } of call.redirects) {
    if (!/^(?:&?>>?|>\||<>)$/.test(operator)) continue
    for (const path of expand(target, call.state)) {
      const found = written(path, call, !operator.includes(">>"))
      if (found) return found
    }
  }
  return undefined
}

const destroys = new Set("shred truncate unlink rm srm wipe".split(" "))
const system =
  /^\/(?:etc|usr|bin|sbin|lib|lib64|boot|var|home|root|opt|dev|proc|sys|srv|System|Library|Applications|Users)?(?:\/\*)?$|^\/(?:usr|var)\/(?:lib|bin|local|sbin|share|log)$/

/** `truncate -s 0`. */
const isToNothing = (texts: readonly string[]): boolean =>
  texts.some(
    (text, at) =>
      /^(?:-s|--size=)0$/.test(text) || (text === "0" && /^(?:-s|--size)$/.test(texts[at - 1] ?? ""))
  )

const removed = (call: Call): Verdict | undefined => {
  const { name, state } = call
  const texts = textsOf(call.args)
  if (name === "truncate" && !texts.some((text) => /^-(?:s|-size)=?/.test(text))) return undefined
  const { operands } = readOptions(call.args, name === "truncate" ? "sr" : "ns")
  const handed = call.fed ? (handedText(call)?.trim().split(/\s+/) ?? []) : []
  for (const { values } of [...operands, { values: handed }]) {
    for (const value of values) {
      const path = value.startsWith(unknown) ? undefined : absolute(value, state)
      if (path === undefined || isTemporary(path, state) || isCache(path, state.place.home)) continue
      const isProject = within(path, state.place.project) && !state.remote
      if (login.test(path) || (!isProject && isSecretPath(path)))
        return said("credentials", path, "is destroyed, and holds credentials")
      if (name === "shred" || (/^(?:srm|wipe)$/.test(name) && !isProject))
        return said(isSecretPath(path) ? "credentials" : "overwrite", path, "is made unreadable for good")
      if (/^(?:rm|unlink)$/.test(name) && isEnvironment(value, state))
        return { ...said("overwrite", path, "is deleted, and no commit holds what is in it"), action: "ask" }
      if (/^(?:rm|unlink)$/.test(name) && isVital(path) && state.container === undefined)
        return { ...said("overwrite", path, "is deleted, and the system needs it"), action: "ask" }
      if (
        name === "truncate" &&
        (kept.test(path) ||
          !isProject ||
          (isToNothing(texts) && (isData(value, state) || isKeptSecret(value, state))))
      )
        return said("overwrite", path, "is emptied")
    }
  }
  return undefined
}

/** What the system finds only at its place. */
const ofSystem = /^\/(?:etc|boot|bin|sbin|lib|lib64|usr\/(?:bin|sbin|lib|lib64))\/./

const moved = (call: Call): Verdict | undefined => {
  const { flags, operands } = readOptions(call.args, call.name === "install" ? "tSmog" : "tS")
  const paths = operands
    .map(first)
    .map((text) => (text.startsWith(unknown) ? undefined : absolute(text.replace(/\/\*$/, "/"), call.state)))
  const target = paths.at(-1)
  const { home, project } = call.state.place
  if (call.name === "mv") {
    const gone = paths
      .slice(0, -1)
      .find(
        (path) =>
          path !== undefined &&
          (system.test(path) || path === home || path === project || path === `${project}/.git`)
      )
    if (gone !== undefined) return { ...said("overwrite", gone, "is moved away"), action: "block" }
    const lost = paths.slice(0, -1).find((path) => path !== undefined && ofSystem.test(path))
    if (lost !== undefined && call.state.container === undefined)
      return { ...said("overwrite", lost, "is moved away, and the system may need it"), action: "ask" }
    if (target === "/dev/null" && operands.length > 1)
      return {
        ...said("overwrite", paths[0] ?? "What is moved there", "is lost: /dev/null keeps nothing"),
        action: "block"
      }
  }
  if (target === undefined || operands.length < 2) return undefined
  const isNull = paths[0] === "/dev/null"
  // Into a folder it goes under its own name.
  const inside = paths[0] === undefined ? undefined : written(`${target}/${nameOf(paths[0])}`, call, false)
  if (inside !== undefined && !login.test(target)) return inside
  return written(
    first(operands.at(-1) as never),
    call,
    call.name === "ln"
      ? isNull && (flags.has("f") || flags.has("--force"))
      : call.name === "mv" || isNull || login.test(target)
  )
}

/** How each says that it changes the file itself; an editor always does. */
const inPlace: Readonly<Record<string, RegExp>> = {
  sed: /^-(?:\w*i|-in-place)/,
  gsed: /^-(?:\w*i|-in-place)/,
  perl: /^-(?![eEIMmV])[a-zA-Z\d]*i/,
  ruby: /^-(?![eEIrKC])[a-zA-Z\d]*i/,
  awk: /^(?:-i)?inplace$/,
  gawk: /^(?:-i)?inplace$/,
  vim: /^-(?:\w*[es]|c)$|^\+/,
  vi: /^-(?:\w*[es]|c)$|^\+/,
  nvim: /^-(?:\w*[es]|c)$|^\+|^--headless$/
}

/** `sed -i d`: no line of it is left. */
const everyLine = /^(?:-e)?(?:[01],\$|\/(?:\.\*?|\^)\/)?d$/

const edited = (call: Call): Verdict | undefined => {
  const texts = textsOf(call.args)
  const option = Object.hasOwn(inPlace, call.name) ? inPlace[call.name] : undefined
  if (option !== undefined && !texts.some((text) => option.test(text))) return undefined
  const keepsNothing = /^g?sed$/.test(call.name) && texts.some((text) => everyLine.test(text))
  for (const text of texts.filter((one) => /^[~/.]/.test(one) || one.includes("/."))) {
    const found = written(text, call, keepsNothing)
    if (found) return found
  }
  if (!keepsNothing) return undefined
  const given = call.args.slice(texts.findIndex((text) => everyLine.test(text)) + 1)
  const file = given.flatMap(({ values }) => values).find((value) => isWork(value, call.state))
  // What a command lists are files as well.
  const isListed = given.some(({ word }) => word.some(({ kind }) => kind === "output"))
  return file !== undefined || isListed
    ? said("overwrite", file ?? "What it is given", "is emptied: no line of it is left")
    : undefined
}

/** A key that is there already is overwritten only where somebody says yes to it. */
const keygen = ({ args, upstream, redirects }: Call): Verdict | undefined => {
  const texts = textsOf(args)
  const file = texts[texts.indexOf("-f") + 1] ?? ""
  const answered = upstream.length > 0 || redirects.some(({ operator }) => operator.startsWith("<<"))
  return answered &&
    !texts.includes("-l") &&
    !texts.includes("-y") &&
    !texts.includes("-R") &&
    (/id_(?:rsa|ed25519|ecdsa|dsa)$|ssh_host_/.test(file) || !texts.includes("-f"))
    ? said("credentials", file || "The default key", "is overwritten")
    : undefined
}

const accounts: Readonly<Record<string, RegExp>> = {
  gpg: / --delete-(?:secret-|secret-and-public-)?keys?\b| --(?:delete-secret-key|quick-revoke)/,
  userdel: /./,
  deluser: /./,
  groupdel: /./,
  chpasswd: /^/,
  usermod: / (?:-L|-aG \S*(?:sudo|wheel|root|docker|admin)|-G|--lock|-p|-s|-e|-u 0|-o)/,
  useradd: / (?:-o|-u 0|--uid 0|-G \S*(?:sudo|wheel))/,
  passwd: / (?:-d|-l|--delete|--lock|--expire) /,
  security: / delete-(?:keychain|certificate|generic-password|internet-password|identity)/,
  visudo: /^(?!.* -c)/,
  ssh_add: / -D /,
  "ssh-add": / -D /,
  chattr: / (?:-R|[-+=]\w*i\w*) (?:.* )?(?:\/|~)/,
  setfacl: / (?:-R|-b) .*\/(?:etc|usr|var|home)?(?: |\/)/,
  dscl: / -delete | delete /,
  "update-grub": /never/,
  htpasswd: / -D /,
  aws_vault: / remove /,
  certbot: / (?:delete|revoke) /
}

/** What they write is text that they print; what others make or fetch is put where programs lie, as a copy is. */
const printers = /^(?:sort|find|tree|uniq|xxd)$/

/** `sort -o`, `find -fprint`, `curl -o`: what stands behind an option is written to. */
const told = (call: Call): Verdict | undefined => {
  for (const file of writtenFiles(call)) {
    const found = written(file, call, printers.test(call.name))
    if (found) return found
  }
  return undefined
}

const judged = (call: Call): Verdict | undefined => {
  const found = redirected(call) ?? told(call)
  if (found) return found
  const { name } = call
  if (destroys.has(name)) return removed(call)
  switch (name) {
    case "mv":
    case "cp":
    case "install":
    case "ln":
      return moved(call)
    case "rsync": {
      const [from, target] = readOptions(call.args, "eBTMf").operands
      return target !== undefined && from !== undefined && first(from) === "/dev/null"
        ? written(first(target), call, true)
        : undefined
    }
    case "tee":
    case "sponge": {
      const adds = call.args.some((arg) => /^-(?:\w*a|-append)/.test(first(arg)))
      for (const { values } of readOptions(call.args).operands)
        for (const value of values) {
          const overwritten = written(value, call, !adds)
          if (overwritten) return overwritten
        }
      return undefined
    }
    case "sed":
    case "gsed":
    case "ed":
    case "ex":
    case "vi":
    case "vim":
    case "nvim":
    case "perl":
    case "ruby":
    case "awk":
    case "gawk":
      return edited(call)
    case "dd": {
      const file = textsOf(call.args)
        .find((text) => text.startsWith("of="))
        ?.slice(3)
        // Bash puts the home directory there as well.
        .replace(/^~(?=\/|$)/, call.state.place.home)
      return file === undefined ? undefined : written(file, call, true)
    }
    case "ssh-keygen":
      return keygen(call)
    case "crontab":
      return crontab(call)
    default: {
      const account = Object.hasOwn(accounts, name) ? accounts[name] : undefined
      const all = ` ${textsOf(call.args).join(" ")} `
      return account?.test(all) && !/ --help | --version /.test(all)
        ? { rule: "credentials", reason: `\`${nameOf(name)}\` changes keys or accounts for good.` }
        : undefined
    }
  }
}

export const credentials: Rule = (call) => judged(call) ?? emptied(call)
