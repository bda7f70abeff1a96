/** The titles of the tests in a source that run: what stands in a comment, in a text or in a skipped test is none. */
import ts from "typescript"

const idle = new Set(["skip", "todo", "fails"])

/** `it`, `it.each(…)`, `describe.skipIf(…)`, `it.skip`: what is called at the root, what stands between, and the tables that it is given. */
interface Called {
  readonly root: string
  readonly words: readonly string[]
  readonly tables: readonly ts.Expression[]
}

const calledIn = (expression: ts.Expression): Called => {
  if (ts.isIdentifier(expression)) return { root: expression.text, words: [], tables: [] }
  if (ts.isCallExpression(expression)) {
    const { root, words, tables } = calledIn(expression.expression)
    return { root, words, tables: [...tables, ...(words.at(-1) === "each" ? expression.arguments : [])] }
  }
  if (!ts.isPropertyAccessExpression(expression)) return { root: "", words: [], tables: [] }
  const { root, words, tables } = calledIn(expression.expression)
  return { root, words: [...words, expression.name.text], tables }
}

/** The rows of a table, which may stand in a constant. */
const rowsOf = (table: ts.Expression, file: ts.SourceFile): readonly ts.Expression[] => {
  if (ts.isArrayLiteralExpression(table)) return table.elements
  let rows: readonly ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && node.name.getText() === table.getText() && node.initializer)
      rows = ts.isArrayLiteralExpression(node.initializer) ? node.initializer.elements : rows
    ts.forEachChild(node, visit)
  }
  if (ts.isIdentifier(table)) visit(file)
  return rows
}

/** What a row of a table is called: itself, or the first text in it. */
const nameOfRow = (row: ts.Expression): readonly string[] => {
  if (ts.isStringLiteralLike(row)) return [row.text]
  const [first] = ts.isArrayLiteralExpression(row) ? row.elements : []
  return first !== undefined && ts.isStringLiteralLike(first) ? [first.text] : []
}

/** A function that makes a test of its first parameter. */
const makesTests = (node: ts.Node, kinds: ReadonlySet<string>): string | undefined => {
  if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name)) return undefined
  const { initializer } = node
  if (initializer === undefined || !ts.isArrowFunction(initializer) || !ts.isCallExpression(initializer.body))
    return undefined
  const [title] = initializer.parameters
  const [given] = initializer.body.arguments
  const { root } = calledIn(initializer.body.expression)
  return title !== undefined && kinds.has(root) && given?.getText() === title.name.getText()
    ? node.name.text
    : undefined
}

export const testTitles = (source: string): readonly string[] => {
  const file = ts.createSourceFile("tests.ts", source, ts.ScriptTarget.Latest, true)
  const kinds = new Set(["it", "test", "describe"])
  const titles: string[] = []
  const visit = (node: ts.Node): void => {
    const made = makesTests(node, kinds)
    if (made !== undefined) kinds.add(made)
    if (ts.isCallExpression(node)) {
      const { root, tables, words } = calledIn(node.expression)
      if (kinds.has(root)) {
        // With everything in it.
        if (words.some((word) => idle.has(word))) return
        const [title] = node.arguments
        if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text)
        else if (title !== undefined && ts.isTemplateExpression(title))
          titles.push(title.getText(file).slice(1, -1))
        titles.push(...tables.flatMap((table) => rowsOf(table, file).flatMap(nameOfRow)))
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return titles
}
