/**
 * Whether a program that names what guards an agent evidently only reads it: every function that it calls is known to change
 * nothing. What is not known is no reading.
 */

const maxText = 4000

/** Python and JavaScript only: elsewhere words alone, or backquotes, start programs. */
const readable = /^(?:python[\d.]*|node|nodejs|bun|deno)$/

const harmless = new Set(
  (
    "if elif for while in not and or return lambda catch switch function async await yield del assert except with " +
    "print pprint open load loads dumps read readlines readline read_text read_bytes get keys items values len sorted list dict set tuple str " +
    "int float bool any all min max sum isinstance type repr enumerate range zip map filter join format split strip rstrip lstrip lower upper " +
    "startswith endswith expanduser abspath exists isfile isdir getenv Path home resolve exit hasattr count index append extend update " +
    "JSON.parse parse stringify readFileSync readFile require log error warn forEach includes indexOf slice entries fromEntries flatMap flat reduce find " +
    "some every sort push concat homedir toString trim test match existsSync statSync then text json file readTextFile readTextFileSync String Number " +
    "Boolean Array Object keys next iter reversed"
  ).split(" ")
)

/** Names that write, start or load, under whatever other name they are called then; and what is called without a name. */
const suspicious =
  /write|append(?:File|_)|unlink|remove|rmtree|\brm(?:Sync|dir)?\b|rename|truncate|chmod|chown|copy|symlink|link\(|mkdir|spawn|popen|subprocess|child_process|shutil|exec|eval|compile|Function\b|__\w+__|getattr|setattr|globals|locals|importlib|ctypes|process\.(?:binding|kill)|Reflect|Proxy|\bos\.(?!path\b|environ\b|getenv\b|getcwd\b|sep\b|listdir\b|homedir\b|EOL\b)|\bBun\.(?!file\b)|\bDeno\.(?!readTextFile|env\b)|[\])}`"']\s*\(|[\w$)\]]\s*`|\\[xu0]/

/** What may be loaded: parts of the language itself, and JSON. A file of one's own may do anything while it is loaded. */
const loaded =
  /\brequire\s*\(\s*(?!["'](?:(?:node:)?(?:fs|os|path|util|process)(?:\/promises)?|[^"']*\.json)["']\s*\))|\bimport\s+(?!(?:(?:json|os|sys|pathlib|pprint|re|glob|collections|tomllib|itertools|textwrap|datetime)\b[\w., ]*(?:[;\n]|$)|[\w*{}, ]+\sfrom\s*["'](?:node:)?(?:fs|os|path|util|process)(?:\/promises)?["']|(?:Path|pprint|OrderedDict|defaultdict|glob)\b))|\bfrom\s+(?!(?:json|os|sys|pathlib|pprint|re|glob|collections|itertools|datetime)\b|["'])/

const call = /([A-Za-z_$][\w$]*)\s*\(/g
/** A file that is opened to be read: no mode, `r`, or how its text is to be read. */
const opened = /\bopen\s*\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)/g
const toRead =
  /^[^,]*(?:,\s*(?:mode\s*=\s*)?["']r[bt]?["']|,\s*(?:encoding|errors|newline)\s*=\s*["'][\w-]*["'])*\s*$/

export const readsOnly = (interpreter: string, texts: readonly string[]): boolean => {
  const text = texts.join("\n")
  if (!readable.test(interpreter) || text.length > maxText || suspicious.test(text) || loaded.test(text))
    return false
  const calls = [...text.matchAll(call)].map(([, name = ""]) => name)
  const opens = [...text.matchAll(opened)]
  if (calls.filter((name) => name === "open").length !== opens.length) return false
  // A function that gets another's name may be anything.
  if (/\b(?:as|=)\s*(?:open|require)\b(?!\s*\()/.test(text)) return false
  return (
    calls.every((name) => harmless.has(name)) &&
    opens.every(([, given = ""]) => toRead.test(commasOutside(given)))
  )
}

/** Commas within brackets and texts separate nothing. */
const commasOutside = (text: string): string =>
  text.replace(/\((?:[^()]|\([^()]*\))*\)/g, "()").replace(/(["'])(?:(?!\1)[^,])*,(?:(?!\1).)*\1/g, "$1$1")
