/** From unbash's statements to ours: what runs one after the other, and what is piped into what. */
import type {
  AndOr,
  ArithmeticExpression,
  AssignmentPrefix,
  CommandArgument,
  CommandNode,
  CompoundList,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  TestExpression,
  Word as TreeWord
} from "unbash"
import type { Adapting } from "./Adapting.ts"
import { adaptHereDoc, adaptOneWord, adaptWord, evaluation, outputsInArithmetic } from "./adaptWord.ts"
import { mended } from "./mendWords.ts"
import type { Assign, Pipeline, Redirect, Script, Stage, Word } from "./script.ts"

const textWord = (text: string): Word => [{ kind: "text", text, quoted: false }]

const plain: Stage = { assigns: [], words: [], redirects: [] }

/** Words that no command is made of, but in which commands may stand, are those of a command that does nothing. */
const nothing = (words: readonly Word[]): Pipeline => [{ ...plain, words: [textWord(":"), ...words] }]

export const adaptScript = (tree: ParsedScript, adapting: Adapting): Script => {
  if (tree.errors !== undefined && tree.errors.length > 0) adapting.budget.unread = true
  return adaptList(tree.commands, adapting)
}

const adaptPipeline = (node: PipelineNode, adapting: Adapting): Pipeline =>
  node.type === "Pipeline"
    ? node.commands.map((stage) => adaptStage(stage, adapting))
    : [adaptStage(node, adapting)]

const adaptAlternatives = ({ commands, operators }: AndOr, adapting: Adapting): Script =>
  commands.map((one, at) => {
    const pipeline = adaptPipeline(one, adapting)
    const operator = operators[at - 1]
    if (operator === undefined) return pipeline
    return marked(pipeline, operator === "||" ? { otherwise: true, perhaps: true } : { perhaps: true })
  })

const marked = (pipeline: Pipeline, mark: Pick<Stage, "otherwise" | "perhaps">): Pipeline => {
  const [begin, ...further] = pipeline
  return begin === undefined ? pipeline : [{ ...begin, ...mark }, ...further]
}

const adaptList = (statements: readonly Statement[], adapting: Adapting): Script =>
  statements.flatMap(({ background, command }) => {
    if (command.type === "AndOr") return adaptAlternatives(command, adapting)
    const pipeline = adaptPipeline(command, adapting)
    return [background === true ? marked(pipeline, { perhaps: true }) : pipeline]
  })

const adaptBody = ({ commands }: CompoundList, adapting: Adapting): Script => adaptList(commands, adapting)

/** Only the number of a redirection that somebody wrote: the shell's own choice has no name yet. */
const descriptorOf = (redirect: Redirection): Pick<Redirect, "descriptor"> =>
  redirect.type === "Redirect" && redirect.descriptor?.type === "FileDescriptor"
    ? { descriptor: String(redirect.descriptor.value) }
    : {}

const adaptRedirect = (redirect: Redirection, adapting: Adapting): Redirect => ({
  operator: redirect.operator,
  ...descriptorOf(redirect),
  target:
    redirect.type === "HereDoc"
      ? adaptHereDoc(redirect.body, adapting)
      : redirect.target === undefined
        ? []
        : adaptOneWord(redirect.target, adapting)
})

const adaptAssign = ({ append, index, name, value }: AssignmentPrefix, adapting: Adapting): Assign => {
  const more = append === true || index !== undefined
  if (value.type !== "ArrayValue") {
    const assign = { name, value: adaptOneWord(value, adapting), more }
    return index === undefined ? assign : { ...assign, index: adaptOneWord(index, adapting) }
  }
  return { name, value: [], more, items: value.elements.flatMap((word) => adaptWord(word, adapting)) }
}

/** `declare a=(…)` assigns; of `export a=b` the command itself makes something. */
const adaptArguments = (given: readonly CommandArgument[], adapting: Adapting) => {
  const words: Word[] = []
  const assigns: Assign[] = []
  for (const arg of given) {
    if (arg.type === "Word") for (const word of adaptWord(arg, adapting)) words.push(word)
    else if (arg.value.type === "ArrayValue") assigns.push(adaptAssign(arg, adapting))
    else
      words.push([
        ...textWord(`${arg.name}${arg.append === true ? "+" : ""}=`),
        ...adaptOneWord(arg.value, adapting)
      ])
  }
  return { words, assigns }
}

/** What a loop over words does before each turn. */
const loopOver = (name: TreeWord, list: readonly TreeWord[] | undefined, adapting: Adapting): Pipeline => {
  const values =
    list === undefined
      ? [[{ kind: "variable", name: "@", quoted: true, all: "@" } as const]]
      : list.flatMap((word) => adaptWord(word, adapting))
  return [{ ...plain, words: [textWord("for"), textWord(name.value), textWord("in"), ...values] }]
}

const wordsOfTest = (test: TestExpression): readonly TreeWord[] => {
  switch (test.type) {
    case "TestUnary":
      return [test.operand]
    case "TestBinary":
      return [test.left, test.right]
    case "TestLogical":
      return test.operands.flatMap(wordsOfTest)
    case "TestNot":
      return wordsOfTest(test.operand)
    case "TestGroup":
      return wordsOfTest(test.expression)
  }
}

const numeric = /^-(?:eq|ne|lt|le|gt|ge)$/

/** What a test evaluates as arithmetic or as the name of a variable. */
const evaluatedInTest = (test: TestExpression): readonly TreeWord[] => {
  switch (test.type) {
    case "TestUnary":
      return test.operator === "-v" ? [test.operand] : []
    case "TestBinary":
      return numeric.test(test.operator) ? [test.left, test.right] : []
    case "TestLogical":
      return test.operands.flatMap(evaluatedInTest)
    case "TestNot":
      return evaluatedInTest(test.operand)
    case "TestGroup":
      return evaluatedInTest(test.expression)
  }
}

const arithmetic = (
  expressions: readonly (ArithmeticExpression | undefined)[],
  adapting: Adapting
): Pipeline =>
  nothing(expressions.map((one) => (one === undefined ? [] : outputsInArithmetic(one, adapting))))

const adaptStage = (node: CommandNode | CompoundList, adapting: Adapting): Stage => {
  switch (node.type) {
    case "Command": {
      const all = node.name === undefined ? node.args : [node.name, ...node.args]
      const prefix = node.prefix.filter((one) => one.type === "Assignment")
      const { assigned, rest } = mended(prefix, all)
      const { words, assigns } = adaptArguments(rest, adapting)
      const before = assigned.map((one) => adaptAssign(one, adapting))
      const redirects = node.redirects.map((one) => adaptRedirect(one, adapting))
      return { assigns: [...before, ...assigns], words, redirects }
    }
    case "Redirected": {
      const redirects = node.redirects.map((one) => adaptRedirect(one, adapting))
      return { ...adaptStage(node.command, adapting), redirects }
    }
    case "Function": {
      const { apart, inner, redirects, ...body } = adaptStage(node.body, adapting)
      return { ...plain, redirects, inner: inner ?? [[{ ...body, redirects }]], defines: node.name.value }
    }
    case "Coproc":
      return adaptStage(node.body, adapting)
    case "CompoundList":
      return { ...plain, inner: adaptBody(node, adapting) }
    case "Subshell":
      return { ...plain, inner: adaptBody(node.body, adapting), apart: true }
    case "BraceGroup":
      return { ...plain, inner: adaptBody(node.body, adapting) }
    case "If": {
      const parts = [node.clause, node.then, ...node.elif.flatMap((one) => [one.clause, one.then])]
      if (node.else !== undefined) parts.push(node.else)
      return { ...plain, inner: parts.flatMap((one) => adaptBody(one, adapting)) }
    }
    case "While":
      return { ...plain, inner: [...adaptBody(node.clause, adapting), ...adaptBody(node.body, adapting)] }
    case "For":
    case "Select":
      return {
        ...plain,
        inner: [loopOver(node.name, node.wordlist, adapting), ...adaptBody(node.body, adapting)]
      }
    case "ArithmeticFor":
      return {
        ...plain,
        inner: [
          arithmetic([node.initialize, node.test, node.update], adapting),
          ...adaptBody(node.body, adapting)
        ]
      }
    case "Case":
      return {
        ...plain,
        inner: [
          nothing(
            [node.word, ...node.items.flatMap(({ pattern }) => pattern)].map((word) =>
              adaptOneWord(word, adapting)
            )
          ),
          ...node.items.flatMap(({ body }) => adaptBody(body, adapting))
        ]
      }
    case "TestCommand": {
      const read = (words: readonly TreeWord[]) => words.map((word) => adaptOneWord(word, adapting))
      const evaluated = read(evaluatedInTest(node.expression))
      const inner = [nothing(read(wordsOfTest(node.expression)))]
      return { ...plain, inner: evaluated.length === 0 ? inner : [...inner, evaluation(evaluated)] }
    }
    case "ArithmeticCommand":
      return { ...plain, inner: [arithmetic([node.expression], adapting)] }
  }
}
