/** What the client knows of commands that only look, written from the table of the guard. */
import { type Glanced, glanced } from "../../../src/features/guard/glanced.ts"

const quoted = (text: string): string => JSON.stringify(text)

const row = ({ always = false, except, first, name, operands, options }: Glanced): string =>
  `  {${[
    quoted(name),
    always ? 1 : 0,
    quoted(first.join(" ")),
    except === undefined ? "NULL" : quoted(except),
    quoted(options.join(" ")),
    operands.toUpperCase()
  ].join(", ")}},`

export const plainHeader = (): string => `/*
 * Commands that only look, with what they may be given. Written from src/features/guard/glanced.ts by
 * tests/contract/programs/clientPlain.test.ts: \`npx vitest run -u\` with it writes this again.
 */
enum operands { ANY, NONE, ONE, NAMES, LINES };

/* \`always\`: whatever is given. \`first\`: what has to come first. \`except\`: letters that are no option behind one dash. */
struct rule { const char *name; int always; const char *first, *except, *options; enum operands operands; };

static const struct rule rules[] = {
${glanced.map(row).join("\n")}
};
`
