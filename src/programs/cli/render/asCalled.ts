/** Our own sentences name the command as whoever reads them has to write it: of a project's own installation the shell knows no `hooktape`. */

const inProject = /[\\/]node_modules[\\/]\.bin[\\/]hooktape$/

/** Those of `commands.ts`, which needs what is drawn here: "hooktape registered it" is no call. */
export const callable = (
  "init new trust build install uninstall setup adopt migrate doctor import run test fixture check dev " +
  "explain log show inspect report replay backtest note notes search chains checkpoint checkpoints " +
  "metrics hooks jobs actors host policy ship collect forget docs completions"
).split(" ")

/** At the beginning of a word, painted or not; where `npx` stands before it nothing is missing. */
const call = new RegExp(
  `(?<=^|[\\s"'(\`|]|\\u001b\\[\\d+m)(?<!npx )hooktape (?=(?:${callable.join("|")})\\b)`,
  "gm"
)

/** `script`: what was started. */
export const makeAsCalled = (script: string): ((text: string) => string) =>
  inProject.test(script) ? (text) => text.replace(call, "npx hooktape ") : (text) => text

/** Only for what hooktape says itself: what was recorded stays as it was. */
export const asCalled = makeAsCalled(process.argv[1] ?? "")
