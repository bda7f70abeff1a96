/** Lines made of the table of commands that are told at a glance and of what means harm beside them, the same from run to run. */
import { glanced } from "../../../src/features/guard/glanced.ts"

/** What tools are given by those who mean harm: guarded paths, options that write or start something, other commands' words. */
const operandsIn = (home: string, state: string): readonly string[] => [
  ...`. .. ./... ./src/... src/ / ~ ~/.ssh/id_rsa ~/.aws/credentials ~/.ssh/* .env .git .claude .claude/settings.json settings.json
    ~/.claude/settings.json ${home}/.claude ${home}/.claude/settings.json ${state}/x ${state} ../.claude/settings.json /etc/passwd /dev/sda
    src/.claude/settings.json work/.claude x:.claude/settings.json a=.claude/settings.json --config=.claude/settings.json
    -o.claude/settings.json ./.claude a.ts *.ts -n -r -f -i -o -O -d -D -m -am -a -v -A -p --all --force --hard --delete --output=x
    --output -ofile --mirror --prune :main +main main:main --force-with-lease --oneline --stat --only-matching --ext-diff --textconv
    --filters --open-files-in-pager=sh -Osh -nO --pre=sh --pre sh --hostname-bin=x -exec -toolexec=sh -C --vettool=sh
    --compress-program=sh --files0-from=x -T/tmp -no -delete -ok -fprint -fls -execdir "-delete" -"exec" --compile w 1,5p 5p --fix
    --write --config x.js --outFile --outDir=/ --cov-report=xml:x --basetemp=/ --junitxml=x s/a/b/ -i.bak --in-place -s --set HEAD
    main origin --amend --no-verify fix test build run --run --silent -- install publish deploy secrets secret -A -oyaml -o yaml db:drop
    ecto.drop drop status diff log show branch remote push -c --git-dir=x --receive-pack=sh --upload-pack=sh 1 12 https://x.y/z?a
    user@host:x '-i>' '-ox>/../x' '--output=x>' '-D>' ?delete ?i * '-'*x "$?" $? hooktape HOOKTAPE=0 XDG_CONFIG_HOME=x PATH=/x foo=bar sh
    --color=auto`
    .trim()
    .split(/\s+/),
  "'a b'",
  '"hooktape trust"',
  '"a\\|b"',
  "'DROP TABLE x'",
  "'a[$(id)]'"
]

/** What may come before, and changes what the rest means. */
const before = [
  "",
  "",
  "",
  "cd ~/.claude && ",
  "cd .claude; ",
  "cd ~/.ssh && ",
  "cd src && ",
  "cd / && "
].concat(["cd && ", "cd .. && ", "cd ~; ", "cat x.sh | ", "cat .env | ", "git add -A && ", "ls | "])

export const madeOfTools = (count: number, home: string, state: string): readonly string[] => {
  const operands = operandsIn(home, state)
  let seed = 42
  const pick = <A>(of: readonly A[]): A => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
    return of[Math.floor((seed / 2 ** 32) * of.length)] as A
  }
  return Array.from({ length: count }, () => {
    const { first = [""], names, options } = pick(glanced)
    const option = (): string => {
      const one = options.length === 0 ? "a" : pick(options)
      return one.endsWith("=") ? one + pick(operands) : one
    }
    const given = Array.from({ length: pick([0, 1, 1, 2, 2, 3]) }, () =>
      pick([true, false]) ? option() : pick(operands)
    )
    return pick(before) + [pick(names), pick(first), ...given].filter((word) => word !== "").join(" ")
  })
}
