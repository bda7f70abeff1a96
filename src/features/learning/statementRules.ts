/** How a sentence says something that a later session can use. Plain patterns for English, made once, when first asked for. */

/**
 * They look at lower case. Code and quoted texts are marks: `‹0›` for a path, a command, a text; `‹0w›` for one word, `‹0c›` for a
 * call. A word that begins with a capital within the sentence has a `¶` before it, or is one.
 */
export interface StatementRules {
  /** Guesses, questions, plans, conditions, advice: whatever else it says, nobody found it out. */
  readonly unsure: RegExp
  readonly cause: readonly RegExp[]
  /** Says that something is no cause. */
  readonly denied: RegExp
  readonly decision: readonly RegExp[]
  /** What was done because somebody asked for it was nobody's choice. */
  readonly bidden: RegExp
  readonly convention: readonly RegExp[]
  /** What somebody did or does is no rule of the project. */
  readonly told: RegExp
}

const any = (words: string): string =>
  `(?:${words
    .trim()
    .split(/\s*\n\s*/)
    .join("|")})`

const hedges = any(`
  might
  may
  maybe
  perhaps
  probably
  possibly
  presumably
  likely
  apparently
  seem\\w*
  appears?
  looks? like
  i (?:think|believe|guess|suspect|assume|suppose|doubt)
  (?:not|un)(?: ?sure| ?clear| ?known)
  could
  would
  should
  will
  going to
  if
  unless
  whether
  in general
  generally
  for example
  suppose
  consider
  recommend\\w*
  suggest\\w*
  no idea
`)

const addressed =
  "\\byou (?:can|could|may|might|need|want|must|have|had|were|are|said|asked)\\b|\\byou'(?:ll|re|d|ve)\\b"

const begun = any(`
  let me
  let's
  i'll
  i am
  i'm
  we'll
  next\\b
  once\\b
  please\\b
  when you
  (?:error|warning|fatal)\\b[^‹]{0,20}:
  assum\\w+
  \\W*the user\\b
`)

const failed = any(`
  fail(?:ed|s|ing)?
  broke
  breaks
  broken
  red
  crash(?:ed|es)?
  hung
  hangs
  time[sd] out
  happen(?:ed|s)
  occur(?:red|s)
  leak(?:ed|s)
  deadlock(?:ed|s)
  (?:was|were|is|are) flaky
  did(?: not|n't) (?:start|build|compile|load|run)
`)

const fault = any(`
  errors?
  failures?
  crash(?:es)?
  exceptions?
  leaks?
  bugs?
  hang
  loop
  regressions?
  4\\d\\ds?
  5\\d\\ds?
  timeouts?
  time-outs?
  deadlocks?
  segfault
  mismatch
  warnings?
  flake
  problem
  issue
`)

/** One's own slips, what passes by itself, and what was said not to be so. */
const denied = any(`
  \\b(?:because|due to|of|that)\\b.*\\b(?:i|my|mine)\\b
  \\b(?:today|for now|sandbox|network)\\b
  \\bagain (?:fixe|solve|resolve)[sd]\\b
  \\b(?:re)?(?:running|starting|trying|installing) (?:it|the \\p{L}+) (?:fixe|solve|resolve)[sd]\\b
  (?:\\bnot|n't) (?:caused|due|because)\\b
  \\b(?:i|we) (?:could|can)(?: ?not|n't)\\b
`)

/** What follows where something is named, and not only said to be so. */
const named = "(?:that|how|a|an|the|two|three|its|our|missing|caused by|‹\\d+[wc]?›|to (?:call|use))\\b"

const subject =
  "(?:this|the|our) (?:project|repo(?:sitory)?|codebase|code base|monorepo|workspace|package|app|application|service|frontend|backend|test suite|ci|pipeline|library|team)"

const holds = any(`
  uses?
  follows?
  (?:requires?|needs?)(?! (?:no|more|some|to|work|an? (?:update|restart|fix|look|change|review|rebuild)|for|attention)\\b)
  expects?
  targets?
  relies on
  depends on
  runs? on
  supports? only
  keeps
  enforces?
  is (?:written in|based on|built (?:with|on)|deployed|released|managed|formatted|linted|organi[sz]ed|structured|hosted)
`)

/** A command, a path, the name of a tool; with what may stand before it. */
const tool = "(?:the |plain |its |a )?(?:‹\\d+w?›|¶)"
const place = "(?:the |its )?(?:‹\\d+›|¶)"

/** Of what is spoken in general; `this test` is one. */
const generic = "^(?!this |that |it |these |those )[^.,]{3,60}?"

const here = "in this (?:project|repo(?:sitory)?|codebase|code base|monorepo|workspace)"
const rule = "(?:must|always|never|are \\p{L}+(?:ed|en|t))"

const reason = "\\b(?:because|since|so that|to avoid|to be able|as (?:it|they|that)|in order to)\\b"

const make = (): StatementRules => ({
  unsure: new RegExp(`\\b${hedges}\\b|${addressed}|^${begun}|\\?\\W*$`, "u"),
  cause: [
    /\b(?:root cause|culprit|cause|reason)\b[^.:]{0,80}?\b(?:was|is|were|turned out to be)\b (?!now|not|no|gone|still|the same|also|already|\p{L}+ed (?!‹|version|import|lock|file))/u,
    new RegExp(
      `\\b(?:the|an?|actual|real|underlying|main) (?:problem|issue|bug)\\b[^.:]{0,60}?\\b(?:was|is|were|turned out to be) (?!the same|the one)${named}`,
      "u"
    ),
    /\bthe (?:bug|problem|issue) (?:was|is) in ‹\d+[wc]?›(?:: |, which |, where )/u,
    /^(?:root cause|what went wrong)\s*[:–—-] ?\S/u,
    /^(?:it )?turn(?:ed|s) out (?:that|the|‹)/u,
    /, which (?:is|was) why\b/u,
    /^\p{L}+ing\b.{3,80}? (?:fixe[sd]|solve[sd]|resolve[sd]) (?:the|it|this)\b/u,
    new RegExp(`\\b${failed}\\b[^.]{0,50}?\\b(?:because|due to)\\b`, "u"),
    /\b(?:was|were|is|are) caused by\b/u,
    /\b(?:fixed|resolved|solved)\b(?: (?:it|this|that|them|the [\p{L}\d‹› -]{1,50}?))? by (?:\p{L}+-)?\p{L}+ing\b/u,
    /^the fix (?:was|is) to\b/u,
    new RegExp(`\\b${fault}\\b[^.]{0,40}? (?:came|comes|stems|stemmed) from\\b`, "u"),
    new RegExp(`\\b${fault}\\b[^.]{0,40}? (?:was|were|is|are) due to\\b`, "u")
  ],
  denied: new RegExp(`${denied}|^(?:i|we) (?!fixed|solved|resolved|found)`, "u"),
  decision: [
    new RegExp(
      `\\b(?:chose|picked|opted for|went (?:with|for)|settled on|decided|preferred|selected)\\b.*(?:${reason}|\\b(?:over|instead of|rather than)\\b)`,
      "u"
    ),
    new RegExp(
      `\\b(?:use|used|is used|are used|is done|are done|kept)\\b.* (?:instead of|rather than|over) .*${reason}`,
      "u"
    ),
    new RegExp(`^(?:i|we) .* (?:instead of|rather than) .*${reason}`, "u"),
    new RegExp(`^instead of .*, (?:i|we) .*${reason}`, "u"),
    new RegExp(`^(?:i |we )?kept\\b.*${reason}`, "u"),
    /^decision: \S/u
  ],
  bidden:
    /\byour?\b|\bthe task\b|\bscope\b|\bno time\b|\bstop(?:ped)?\b|\b(?:to start|start(?:ed)?) with\b|\bdecided to (?:wait|start|begin|skip|stop|try|look|check)\b|\bto (?:search|find|look|list|check|see|read|inspect)\b/u,
  convention: [
    new RegExp(`^${subject} (?:also |always |only )?${holds}\\b`, "u"),
    /^(?:the |all )?(?:\p{L}+ |end-to-end )?tests (?:are (?:run|started)|run|need|require|expect|live|depend on) (?:with|by|via|using|in|on|a|an|the|‹|¶)/u,
    /^ci (?:runs|uses|needs|requires|builds|checks)\b/u,
    /^(?:always|never) (?!\p{L}+(?:ed|s)\b|mind\b|happy\b|glad\b|good\b|saw\b|had\b|been\b|an?\b|the\b)\p{L}{2,} \S+ \S/u,
    new RegExp(`^${here},? .*\\b(?:${rule}|is|use|uses)\\b`, "u"),
    new RegExp(`\\b${rule}\\b.* ${here}\\W*$`, "u"),
    /^(?:commits?|commit messages|branch(?:es| names)|file names|pull requests|migrations)\b.{0,30} follow\b/u,
    /\b(?:must|have to) (?:always |only )?go through (?:the |a )?‹/u,
    /\bare (?:always|never) \p{L}+(?:ed|en)\b/u,
    new RegExp(
      `${generic} (?:are|is) (?:cut|run|built|deployed|released|formatted|linted|managed|installed|generated|produced|compiled|checked|tested|published|started|done) (?:with|by|via|using|through|from) ${tool}`,
      "u"
    ),
    new RegExp(
      `${generic} (?:are|is) (?:cut|loaded|read|stored|kept|defined|configured|documented|published) (?:in|from|on|to|under) (?:${place}|‹\\d+w›,)`,
      "u"
    ),
    /^(?!.*\b(?:function|method|class|helper|bug|logic|component|fix)\b)[^.,]{3,60}? lives? (?:in|under) ‹\d+›/u,
    /^run the \p{L}+ (?:with|via|through) ‹/u
  ],
  told: /^(?:i|we)\b|\b(?:i|i've|we've|now|my|your)\b|\byou\b(?! (?:add|change|commit|deploy|edit|merge|open|push|release|run|start|touch)\b)/u
})

let made: StatementRules | undefined

export const statementRules = (): StatementRules => {
  made ??= make()
  return made
}
