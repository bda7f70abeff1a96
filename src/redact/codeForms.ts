/** Values that a name announces in code: compared with it, in quotes of a language's own, byte by byte, on the lines below it. */
import { type Form, literal, quote } from "./forms.ts"
import { isMessageOf } from "./messages.ts"
import { looksRandom } from "./secretNames.ts"

const hasSign = (value: string): boolean => /[\d!@#$%^&*+~]/.test(value)
const isPlain = (value: string): boolean =>
  value.length < 6 || !hasSign(value) || (/\s/.test(value) && isMessageOf(value))

/** What of a name stands before the sign: `form["password"]`, `params[:pass]`, `"$PASSWORD"`. */
const nameEnd = String.raw`["'\\\])}]{0,4}\s{0,4}`
const comparing = String.raw`(?:[!=]==?|\beq\b|\bne\b|-eq|-ne|\.equals\(|\.eql\?\(?)\s{0,4}`

export const codeForms: readonly Form[] = [
  // `password === "…"`, `if pass != '…'`, `[ "$PASSWORD" = "…" ]`, `password.equals("…")`.
  {
    kinds: /^(?:password|secret|token|api-key)$/,
    next: `"' \\)]}=!.`,
    after: `${nameEnd}${comparing}${literal}`,
    not: (value, name) => isPlain(value) || (!/pass|pwd|pw$/i.test(name) && !looksRandom(value)),
    style: "quoted"
  },
  // `secret_key = b"…\xf4…"`: with characters that are escaped.
  {
    kinds: /^(?:password|secret|token|api-key)$/,
    next: `"')] =:`,
    after: String.raw`["'\])]{0,3}\s{0,4}[:=]\s{0,4}[bBrR]{1,2}\\*["']((?:[^"'\n\\]|\\{1,8}[^"'\n\\]){6,512})(?=\\*["'])`,
    not: (value) => !hasSign(value),
    style: "quoted"
  },
  // `password = qq|…|`, `password => q(…)`.
  {
    next: `"' =`,
    after: String.raw`${quote}\s?(?:=|=>)\s?qq?[({[<|!/#~]([^\s(){}[\]<>|!/#~]{6,256})(?=[)}\]>|!/#~])`,
    style: "quoted"
  },
  // `my ($user, $password) = qw(me …)`.
  {
    next: ")",
    after: String.raw`\)\s?=\s?qw[({[/](?:[^\s(){}[\]/]{1,60} ){0,6}([^\s(){}[\]/]{6,256})(?=\s?[)}\]/])`,
    style: "quoted"
  },
  // `password = R"(…)"`, `password: r#"…"#`.
  {
    next: `"' =:`,
    after: String.raw`${quote}\s?(?::[^=\n]{0,40})?[:=]\s?(?:u8|[LuU])?(?:R\\*"\w{0,16}\(|b?r#{1,3}\\*")([^"\n()]{6,512}?)(?=\)\w{0,16}\\*"|\\*"#)`,
    style: "quoted"
  },
  // `char pass[] = {'a', 'b', …}`.
  {
    kinds: /^(?:password|secret|token|api-key)$/,
    next: "[ =",
    after: String.raw`(?:\[\w{0,20}\])?\s?=\s?(?:new char\[\]\s?)?[{[]\s?(\\*'[^'\n\\]\\*'(?:\s?,\s?\\*'[^'\n\\]\\*'){5,127})`,
    made: true,
    style: "quoted"
  },
  // On the lines below it: `secret = <<~EOS`, `<<<'EOT'`, `password=$(cat <<EOF`.
  {
    kinds: /^(?:password|secret|token|api-key)$/,
    next: `"' =:`,
    after: String.raw`${quote}\s?(?:=|=>|:)\s?(?:\$\(cat )?<<[<~-]?\s?["']?(?=[A-Z_]{2,20}["']?\r?\n)[A-Z_]{2,20}["']?\r?\n[ \t]{0,40}([^\s"'\x60\\]{6,512})[ \t]{0,4}(?=\r?\n[ \t]{0,40}[A-Z_]{2,20})`,
    style: "quoted"
  },
  // `storePassword "…"`, alone on its line; `set :db_password, "…"`.
  {
    kinds: /^(?:password|secret|token|api-key)$/,
    before: /(?:^|\n|\\n|[{;])[ \t]{0,60}$/,
    next: " \t",
    after: String.raw`[ \t]{1,20}${literal}(?=\\*["'\x60][ \t]{0,8}(?:\r|\n|\\n|\\r|;|#|\/\/|$))`,
    not: (value, name) => !/[a-z][A-Z]|_/.test(name) || /[^\x21-\x7e]/.test(value),
    style: "quoted"
  },
  { before: /\bset(?:ting)?\(? ?:$/, next: ",", after: String.raw`,\s{1,4}${literal}`, style: "quoted" }
]
