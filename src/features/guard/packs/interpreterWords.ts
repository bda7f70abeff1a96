/** Of the words that a shell or another interpreter is started with: where its script stands, and what a program does with the rest. */
import { type Call, textsOf } from "../Call.ts"
import { first } from "../expand.ts"
import { unknown } from "../script.ts"

/** Options whose value is the next word. */
const valued: readonly (readonly [program: RegExp, option: RegExp])[] = [
  [/^(?:ba|z|k|mk|da|a|)sh$/, /^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file)$/],
  [/^(?:python|pypy)/, /^-[a-zA-Z]*[WX]$/],
  [
    /^(?:node|nodejs|bun|deno)$/,
    /^(?:-[rC]|--(?:require|import|(?:experimental-)?loader|conditions|preload))$/
  ],
  [/^(?:perl|ruby)$/, /^-[Ir]$/],
  [/^php$/, /^-d$/],
  [/^osascript$/, /^-l$/],
  [/^(?:pwsh|powershell)$/i, /^-(?:ep|ex\w*|workingdirectory|wd)$/i]
]

/** Where the words begin that are a script and what it is given: options behind it are the script's own. */
export const operandAt = ({ args, name }: Call): number => {
  const option = valued.find(([program]) => program.test(name))?.[1]
  const texts = args.map(first)
  const at = texts.findIndex(
    (text, place) =>
      text === "-" ||
      text === "--" ||
      (!/^[-+]/.test(text) &&
        text !== "" &&
        text !== unknown &&
        option?.test(texts[place - 1] ?? "") !== true)
  )
  return at < 0 ? args.length : at
}

/** What stands behind it is the program, or a module. */
export const givesCode = /^-(?:-?eval|-?print|m|[a-zA-Z]*[ceErnp])$/

/** A program that runs texts: what it is given besides is one of them, for all that one can tell. */
const runsText =
  /(?<![\w.$'"-])(?:exec|eval|system|passthru|shell_exec)(?![\w'"-])|\b(?:os\.(?:system|popen)|subprocess\.get\w*output|(?:pickle|marshal)\.loads?|execSync|new\s+Function|runIn\w*Context|child_process["']\s?\)\.exec)\b|\bshell\s?=\s?(?:True|1)|["'](?:\/\S{1,30}\/)?(?:ba|z|da|k)?sh["'\s]/
const startsShell = /(?:^|[\s;|&({])(?:eval|source|\.|(?:\/\S{1,30}\/)?(?:ba|z|da|k|mk|a)?sh)(?:\s|[;|&)}]|$)/
/** Modules that run the script that they are told. */
const runners =
  /^(?:pdb|ipdb|runpy|cProfile|profile|trace|timeit|coverage|debugpy|IPython|code|kernprof|scalene|viztracer|pyinstrument)$/

export const runsWhatItIsGiven = (call: Call): boolean => {
  const { args, name } = call
  const at = operandAt(call)
  const [option = "", code = ""] = textsOf(args.slice(Math.max(0, at - 1), at + 1))
  if (!givesCode.test(option)) return false
  if (option.endsWith("m") && /^(?:python|pypy)/.test(name)) return runners.test(code)
  return (/^(?:ba|z|da|k|mk|a|)sh$/.test(name) ? startsShell : runsText).test(code)
}
