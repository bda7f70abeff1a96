/**
 * Commands that the client tells for harmless by itself, as data: src/programs/client/plain.h is written from it. All of it `isPlain`
 * says as well, and some more: what is told here never comes to be read by a guard, whoever looks.
 */

/** What may be given besides options: anything that begins with no dash, nothing, one of them, names as tests have them, or lines of files. */
export type Operands = "any" | "none" | "one" | "names" | "lines"

export interface Glanced {
  readonly name: string
  /** What has to be given first, in this order. */
  readonly first: readonly string[]
  /** Whatever is given: it only looks. The rest says nothing then. */
  readonly always?: boolean
  /** Single letters and digits behind one dash are options, save these; without it there are none. */
  readonly except?: string
  readonly options: readonly string[]
  readonly operands: Operands
}

const words = (text: string): readonly string[] => text.split(" ")

/** Commands that write nothing and start nothing, whatever they are given. */
export const onlyLooking = words(
  "ls pwd cat head tail wc grep egrep fgrep stat du df basename dirname realpath readlink which type whoami id true false cut diff cmp comm column tac echo cd"
)

/** Of git: with options that write or start something left out. */
export const gitLooks = words(
  "status diff log show rev-parse ls-files ls-tree blame describe shortlog cat-file grep"
)

export const packageManagers = words("npm pnpm yarn")
export const packageScripts = words("test build lint check typecheck format types tsc unit coverage")

const gitOptions = words(
  "-- --stat --shortstat --numstat --oneline --short --porcelain --branch --cached --staged --name-only --name-status --graph --all --decorate --no-color --patch --no-patch --show-toplevel --abbrev-ref --verify --exclude-standard --first-parent --merges --no-merges --reverse --tags"
)
const findOptions = words(
  "-name -iname -path -ipath -not -type -maxdepth -mindepth -size -newer -mtime -print -print0 -empty -prune -o -a"
)
const scriptOptions = words("-- --run --silent -s")

export const glanced: readonly Glanced[] = [
  ...onlyLooking.map((name): Glanced => ({ name, first: [], always: true, options: [], operands: "any" })),
  ...gitLooks.map(
    (look): Glanced => ({
      name: "git",
      first: [look],
      except: "O",
      options: gitOptions,
      operands: "any"
    })
  ),
  { name: "git", first: ["add"], options: words("-A -u --all --update"), operands: "any" },
  ...["-m", "-am"].map(
    (message): Glanced => ({ name: "git", first: ["commit", message], options: [], operands: "one" })
  ),
  ...["branch", "remote"].map(
    (list): Glanced => ({
      name: "git",
      first: [list],
      options: words("-a -r -v -vv --list --show-current"),
      operands: "none"
    })
  ),
  ...packageManagers.flatMap((name) =>
    [["test"], ...packageScripts.map((script) => ["run", script])].map(
      (first): Glanced => ({ name, first, options: scriptOptions, operands: "names" })
    )
  ),
  { name: "file", first: [], except: "C", options: [], operands: "any" },
  { name: "find", first: [], options: findOptions, operands: "any" },
  {
    name: "rg",
    first: [],
    except: "",
    options: words("-- --files --hidden --no-ignore --type --glob --count --files-with-matches"),
    operands: "any"
  },
  { name: "sed", first: ["-n"], options: [], operands: "lines" },
  { name: "sort", first: [], except: "oT", options: ["--"], operands: "any" }
]
