/**
 * Commands that the client tells for harmless by itself, as data: src/programs/client/plain.h is written from it. All of it `isPlain`
 * says as well, and some more: what is told here never comes to be read by a guard, whoever looks.
 */

import { type Glanced, words } from "./glancedRow.ts"
import { glancedTools } from "./glancedTools.ts"

/** Commands that write nothing and start nothing, whatever they are given. */
export const onlyLooking = words(
  "ls pwd cat head tail wc grep egrep fgrep stat du df basename dirname realpath readlink which type whoami id true false cut diff cmp comm column tac echo cd " +
    "jq nl tr od hexdump strings md5sum sha1sum sha256sum sha512sum shasum cksum sleep"
)

/** Of git: with options that write or start something left out. */
export const gitLooks = words(
  "status diff log show rev-parse ls-files ls-tree blame describe shortlog cat-file grep merge-base rev-list show-ref check-ignore"
)

export const packageManagers = words("npm pnpm yarn")
export const packageScripts = words("test build lint check typecheck format types tsc unit coverage")

const gitOptions = words(
  "-- --stat --shortstat --numstat --oneline --short --porcelain --porcelain=v1 --branch --cached --staged --name-only --name-status --graph --all --decorate --no-color --color=never " +
    "--patch --no-patch --show-toplevel --abbrev-ref --verify --exclude-standard --first-parent --merges --no-merges --reverse --tags --count --follow --left-right --is-ancestor " +
    "--format= --pretty= --date= --since= --until= --after= --before= --author= --grep= --max-count= --diff-filter= --untracked-files= --unified= --abbrev= --git-dir --others"
)
const findOptions = words(
  "-name -iname -path -ipath -not -type -maxdepth -mindepth -size -newer -mtime -print -print0 -empty -prune -o -a"
)
const scriptOptions = words("-- --run --silent -s")

/** Of those, and beside them, what prints files as they are: secrets are for a guard to see. */
export const printers = words("cat tac head tail strings nl xxd od hexdump")
/** What the paths of secrets have in them, besides parts that begin with a dot. */
export const ofSecrets = words(
  "/. id_ cred secret account environ netrc .env .pem .key .p12 .pfx .jks .keystore .ppk .kdbx shadow ssh_host_ ssl/private admin.conf"
)

export const glanced: readonly Glanced[] = [
  { names: onlyLooking, options: [], operands: "whatever" },
  { names: ["git"], first: gitLooks, except: "O", options: gitOptions, operands: "any" },
  { names: ["git"], first: ["add"], options: words("-A -u --all --update"), operands: "any" },
  {
    names: ["git"],
    first: ["commit -m", "commit -am", "commit -a -m", "commit -q -m", "commit --amend -m"],
    options: words("-q -s --quiet --signoff"),
    operands: "message"
  },
  {
    names: ["git"],
    first: ["branch", "remote"],
    options: words("-a -r -v -vv --list --show-current"),
    operands: "none"
  },
  {
    names: packageManagers,
    first: ["test", ...packageScripts.map((script) => `run ${script}`)],
    options: scriptOptions,
    operands: "script"
  },
  {
    names: ["bun"],
    first: packageScripts.map((script) => `run ${script}`),
    options: scriptOptions,
    operands: "script"
  },
  { names: ["file"], except: "C", options: [], operands: "any" },
  { names: ["find"], options: findOptions, operands: "any" },
  {
    names: ["rg"],
    except: "",
    options: words(
      "-- --files --hidden --no-ignore --type --glob --count --files-with-matches --no-heading --ignore-case --fixed-strings"
    ),
    operands: "any"
  },
  { names: ["sed"], first: ["-n"], options: [], operands: "lines" },
  { names: ["sort"], except: "oT", options: ["--"], operands: "any" },
  ...glancedTools
]
