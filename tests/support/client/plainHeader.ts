/** What the client knows of commands that only look, written from the table of the guard. */
import { glanced, ofSecrets, printers } from "../../../src/features/guard/glanced.ts"
import type { Glanced } from "../../../src/features/guard/glancedRow.ts"

const quoted = (text: string): string => JSON.stringify(text)

const row = ({ except, first = [""], names, operands, options }: Glanced): string =>
  `  {${[
    quoted(names.join(" ")),
    quoted(first.join("|")),
    except === undefined ? "NULL" : quoted(except),
    quoted(options.join(" ")),
    operands.toUpperCase()
  ].join(", ")}},`

export const plainHeader = (): string => `/*
 * Commands that only look, with what they may be given. Written from src/features/guard/glanced.ts by
 * tests/contract/programs/clientPlain.test.ts: \`npx vitest run -u\` with it writes this again.
 */
enum operands { ANY, NONE, ONE, NAMES, LINES, PLACES, MESSAGE, SCRIPT, WHATEVER };

/* \`first\`: one of these has to come first. \`except\`: letters that are no option behind one dash. */
struct rule { const char *names, *first, *except, *options; enum operands operands; };

static const struct rule rules[] = {
${glanced.map(row).join("\n")}
};

/* Commands that print files, and what paths of secrets have in them. */
static const char printers[] = ${quoted(printers.join(" "))};
static const char of_secrets[] = ${quoted(ofSecrets.join(" "))};
`
