/** Commands that are given to another machine as text, by clients that are not `ssh`. */
import { ansibleText } from "./ansible.ts"
import { type Call, textsOf } from "./Call.ts"
import { type Argument, first } from "./expand.ts"
import { joinedTexts, manyText, remoteText } from "./texts.ts"

const valueOf = (texts: readonly string[], option: RegExp): string | undefined => {
  const at = texts.findIndex((text) => option.test(text))
  return at < 0
    ? undefined
    : /^--\w[\w-]*=/.test(texts[at] ?? "")
      ? (texts[at] ?? "").replace(/^[^=]*=/, "")
      : texts[at + 1]
}

const behindDashes = (args: readonly Argument[]): string | undefined => {
  const at = args.findIndex((arg) => first(arg) === "--")
  return at < 0 ? undefined : joinedTexts(args.slice(at + 1))
}

/** The text, or undefined where nothing of that kind is started. An empty one reads what it is given. */
export const remoteCommand = (call: Call): string | undefined => {
  const { args, name } = call
  const texts = textsOf(args)
  const verbs = texts
    .filter((text) => !text.startsWith("-"))
    .slice(0, 3)
    .join(" ")
  switch (name) {
    case "ssh":
    case "mosh":
    case "autossh":
      return remoteText(args)
    case "gcloud":
      return /(?:^| )ssh /.test(`${verbs} `) ? valueOf(texts, /^--command(?:=|$)/) : undefined
    case "fly":
    case "flyctl":
      return verbs.startsWith("ssh console") ? valueOf(texts, /^(?:-C|--command)(?:=|$)/) : undefined
    case "doctl":
      return verbs.startsWith("compute ssh") ? valueOf(texts, /^--ssh-command(?:=|$)/) : undefined
    case "vagrant":
      return verbs.startsWith("ssh") ? valueOf(texts, /^(?:-c|--command)(?:=|$)/) : undefined
    case "az":
      return verbs.startsWith("vm run-command") ? valueOf(texts, /^--scripts(?:=|$)/) : undefined
    case "heroku":
      return /^run(?: |$)/.test(verbs)
        ? texts
            .slice(texts.indexOf("run") + 1)
            .filter(
              (text, at, all) =>
                !/^(?:-a|--app|-r|--remote|-s|--size)$/.test(all[at - 1] ?? "") && !/^-/.test(text)
            )
            .join(" ")
        : undefined
    case "multipass":
    case "lxc":
    case "incus":
      return /^exec /.test(`${verbs} `)
        ? (behindDashes(args) ?? joinedTexts(args.slice(texts.indexOf("exec") + 2)))
        : undefined
    case "colima":
    case "podman-machine":
      return /^ssh /.test(`${verbs} `) ? behindDashes(args) : undefined
    case "limactl":
      return /^shell /.test(`${verbs} `) ? joinedTexts(args.slice(texts.indexOf("shell") + 2)) : undefined
    case "lima":
      return joinedTexts(args)
    case "nomad":
      return verbs.startsWith("alloc exec") ? joinedTexts(args.slice(texts.indexOf("exec") + 2)) : undefined
    case "ansible":
      return ansibleText(texts)
    case "salt": {
      const at = texts.findIndex((text) => /^cmd\.(?:run|shell)/.test(text))
      return at < 0 ? undefined : texts[at + 1]
    }
    case "pssh":
    case "parallel-ssh":
    case "pdsh":
    case "dsh":
    case "clush":
      return manyText(args)
    default:
      return undefined
  }
}
