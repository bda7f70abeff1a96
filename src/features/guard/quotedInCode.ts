/** Quotes that only Perl and Ruby have, as those that every language has: `q{…}`, `qw(…)`, `%q(…)`, and the pattern of `</srv/*>`. */

const text = String.raw`[^"'\`\\\n]{0,200}?`
const quotes = new RegExp(
  String.raw`(?<![\w$@%.>-])(?:q[qw]?\s?|%[qQwW]?)(?:\{(${text})\}|\((${text})\)|\[(${text})\]|\|(${text})\|)`,
  "g"
)
/** What it reads is a file with a name; a pattern has it list names. */
const pattern = /<([~/.][^<>\s"'`\n]{0,200}[*?][^<>\s"'`\n]{0,200})>/g

export const withPlainQuotes = (program: string): string =>
  /\bq[qw]?\s?[{([|]|%[qQwW]?[{([|]|<[~/.]/.test(program)
    ? program
        .replaceAll(
          quotes,
          (_, ...found: readonly (string | undefined)[]) =>
            `"${found.slice(0, 4).find((one) => one !== undefined) ?? ""}"`
        )
        .replaceAll(pattern, '"$1"')
    : program
