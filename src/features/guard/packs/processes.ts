/** Pack `processes`: signals to everything. */
import { type Rule, textsOf } from "../Call.ts"
import type { Verdict } from "../rule.ts"
import { anything, followChoice, isAll, listsAll } from "./everyProcess.ts"
import { killsByName, killsListed } from "./runtimes.ts"

const said = (name: string): Verdict => ({
  rule: "kill-all",
  reason: `\`${name}\` ends every process that it may, or the first one.`
})

const isSignal = (text: string): boolean => /^-(?:\d{1,2}|[A-Z]+\d*|s|n|signal|[a-z]+)$/.test(text)

const onlyAsks = (texts: readonly string[]): boolean =>
  texts.some((text) => /^-[lLh]|^--help|^-0$/.test(text))

/** The signal comes first; what follows it are processes, however they look. */
const kill = (texts: readonly string[]): boolean => {
  if (onlyAsks(texts)) return false
  const at = texts.findIndex((text) => !isSignal(text) || text === "-1")
  const targets =
    texts[0] === "--"
      ? texts.slice(1)
      : at === 0 && texts[0] === "-1" && texts.length > 1
        ? texts.slice(1)
        : texts.slice(at < 0 ? texts.length : at)
  return targets.some((text) => text === "-1" || text === "1" || text === "0")
}

export const processes: Rule = (call) => {
  const { name, args, fed, state, upstream } = call
  const texts = textsOf(args)
  followChoice(call)
  switch (name) {
    case "kill":
      if ((fed && listsAll(upstream)) || (args.some((arg) => isAll(arg, state)) && !onlyAsks(texts)))
        return said(name)
      return kill(texts) ? said("kill") : killsListed(call)
    case "killall5":
      return said(name)
    case "pkill":
    case "killall":
    case "skill": {
      const operands = texts.filter((text) => !text.startsWith("-"))
      const byUser = texts.some((text) =>
        /^-(?:u|U|-user|-euid|-uid|v|-inverse|t|g)$|^-\w*v$|^--inverse/.test(text)
      )
      const everything =
        operands.some((text) => anything.test(text)) ||
        operands.some((text) =>
          /^(?:systemd|init|launchd|dbus-daemon|sshd|Xorg|gnome-session\S*|WindowServer|loginwindow)$/.test(
            text
          )
        )
      return everything || (byUser && operands.length <= 1) ? said(name) : killsByName(call)
    }
    case "loginctl":
      return /^(?:terminate|kill)-/.test(texts[0] ?? "") ? said(name) : undefined
    case "taskkill":
      return texts.some((text) => /^\/?(?:im|fi)$/i.test(text)) && texts.some((text) => text === "*")
        ? said(name)
        : undefined
    default:
      return undefined
  }
}
