/** Which commands may change something: looking around and running checks repairs nothing. Pure. */
import { programsIn, recognise } from "../checkpoints/commands.ts"

const looks = new Set(
  `cat head tail less more ls ll tree find fd grep egrep rg ag wc stat file diff cmp which type whereis pwd cd echo printf date whoami
  id uname env printenv df du ps top free history sleep true false jq sort uniq cut column basename dirname realpath readlink man set
  export test [`.split(/\s+/)
)

const looksOfGit =
  /^git (?:-C \S+ |--no-pager )*(?:status|log|diff|show|branch|blame|rev-parse|ls-files|remote|grep)\b/

/** Programs that do much else, where they only tell something. */
const looksOfOthers =
  /^(?:(?:docker|podman) (?:ps|images|logs|inspect|stats|top|version|info|compose (?:ps|logs|config))|kubectl (?:get|describe|logs|top|version|explain)|(?:npm|pnpm|yarn) (?:ls|list|view|outdated|why|explain)|pip3? (?:list|show|freeze)|cargo (?:tree|metadata)|go (?:list|env|version)|(?:systemctl|service) (?:status|list-units)|journalctl|dig|nslookup|ping|lsof|ss|netstat)(?: |$)/

/** The head of an answer, and nothing sent. */
const asksForHead = /^curl (?:.* )?(?:-\w*I|--head)(?: |$)/
const sends = / (?:-X|--request|-d|--data\S*|-F|--form|-T|--upload-file|-o|-O|--output)(?: |=|$)/

/** Into a file, and not into nowhere or another stream. */
const writes = /(?:^|[^0-9&>-])\d*>>?\s*(?!&|\s*\/dev\/null)[^\s&>]/

const repairs = /(?:^| )(?:--fix|--write|--apply|-w|-u|--update)(?: |=|$)/

const onlyLooks = (program: string): boolean => {
  const [name = ""] = program.split(" ", 1)
  if (name === "sed") return !/ -\w*i/.test(program)
  if (name === "find" && / -(?:delete|exec\w*|ok\w*)\b/.test(program)) return false
  if (asksForHead.test(program)) return !sends.test(program)
  return looks.has(name) || looksOfGit.test(program) || looksOfOthers.test(program)
}

/** A build may be what was missing; tests, types and lint only ask. */
const onlyAsks = (command: string): boolean => {
  const checks = recognise(command)
  return checks.length > 0 && checks.every(({ purpose, text }) => purpose !== "build" && !repairs.test(text))
}

export const isAttempt = (command: string): boolean => {
  const programs = programsIn(command).filter((program) => program !== "")
  if (programs.length === 0) return false
  if (writes.test(command)) return true
  return !onlyAsks(command) && !programs.every(onlyLooks)
}
