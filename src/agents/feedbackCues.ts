/**
 * How people complain without a word of blame: by what is still so, what has become of it now, what the agent did, and that they have said it
 * before. Made when the first prompt is looked at.
 */

export interface Cues {
  /** Tells of the agent's work as it is now, or of what the agent did. */
  readonly isComplaint: (text: string) => boolean
  /** Only where it begins the sentence. */
  readonly first: RegExp
  /** Sets conditions, tells of others or of oneself: nothing in it is about the agent's work. */
  readonly aside: RegExp
  /** A rule for what is to come. */
  readonly rule: RegExp
}

const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"))

/** An expression of this size takes milliseconds to be made: that is left to the first prompt with one of its words. */
interface Complaint {
  readonly words: readonly string[]
  readonly pattern: () => RegExp
}

const lazily = (...patterns: readonly string[]): (() => RegExp) => {
  let made: RegExp | undefined
  return () => (made ??= any(...patterns))
}

const make = (): Cues => {
  const broken =
    "(?:broken|misaligned|missing|gone|empty|blank|wrong|red|slow(?:er)?|worse|unreadable|invisible|stuck|unusable|off|fail(?:s|ing|ed)?|" +
    "crash(?:es|ing|ed)?|tim(?:es|ing|ed) out|hangs?|hanging|freezes|flickers?|overlaps?|errors?|throws?|doesn't \\w+|don't \\w+|can't \\w+|isn't \\w+|" +
    "aren't \\w+|won't \\w+|nothing \\w+s|no longer \\w+)"
  const shows =
    "(?:says?|shows?|returns?|gives?|throws?|prints?|happens?|appears?|hangs?|displays?|logs?|fails?|crash(?:es)?|has|have|uses?|points?|refers?|contains?|" +
    "expects?|breaks?|is|are|isn't|aren't|doesn't|don't|can't|get|getting|see|seeing)"
  const harm =
    "(?:deleted|removed|broke|changed|hard-?coded|skipped|missed|forgot|ignored|duplicated|renamed|moved|reverted|overwrote|replaced|introduced|" +
    "dropped|messed|commented out|disabled|swapped|lost|misspelled|mixed|confused|left out|left|committed|pushed|mangled|misread|guessed|invented|assumed)"
  const did = "(?:\\w+ed|did|made|put|wrote|got|took|gave|went|ran|read|kept|found)"
  const work =
    "(?:change|fix|edit|commit|patch|version|update|refactor(?:ing)?|code|solution|approach|attempt|test|regex|query|migration)"

  const complaints: readonly Complaint[] = [
    {
      words: ["now"],
      pattern: lazily(`\\bnow (?:\\w+ ){0,5}${broken}\\b`, `\\b(?:is|are|looks?) now (?:\\w+ )?${broken}\\b`)
    },
    {
      words: ["still"],
      pattern: lazily(
        `\\b(?:it|this|that|they|i|we|the \\w+|the \\w+ \\w+) still ${shows}\\b`,
        `\\b(?:is|are|it's|that's|they're) still (?:\\w+ )?${broken}\\b`
      )
    },
    {
      words: ["you", "you're", "you've"],
      pattern: lazily(
        `(?:^|\\b(?:but|and|so|ok|looks like|seems like|it seems|i see|apparently|instead of .{1,60}),? )you (?:just |also |again |have |even )*${harm}\\b`,
        `\\byou (?:again|only|never|still|always|once again|even|just) ${did}\\b`,
        "\\byou(?:'re| are) (?:not |still |just |again |now |going )*(?:hallucinat|guess|loop|repeat|mak(?:e|ing) (?:things|stuff|it) up|mixing|confus|assum|invent|in circles|going in circles|overthink|rushing|breaking|ignor|miss(?:ing)?\\b)",
        "\\byou(?:'ve| have) (?:not|never)\\b|\\byou (?:didn't|did not|don't|never) (?:even |actually |really )?\\w+",
        "\\binstead of \\w+ing .{1,80}\\byou\\b"
      )
    },
    {
      words: ["your", "own", "another"],
      pattern: lazily(
        "\\byour \\w+ (?:also|only|still|just|never|always|now) \\w+|\\b(?:your own|yet another) (?:\\w+ )?(?:helper|version|implementation)\\b|\\binstead of .{0,30}\\byour own\\b",
        "\\b(?:after|since|because of|with) your (?:last |latest )?(?:change|fix|edit|commit|update|refactor)"
      )
    },
    {
      words: ["than"],
      pattern: lazily(
        "\\b(?:slower|worse|bigger|uglier|longer|buggier|more \\w+) than (?:before|it was|the old|what (?:we|i) had)"
      )
    },
    {
      words: ["nothing", "never"],
      pattern: lazily(
        "\\bnothing (?:works|worked|happens|happened|shows|changed|is different)\\b|\\bi never (?:said|asked|wanted|told|mentioned)\\b"
      )
    },
    {
      words: ["we", "i"],
      pattern: lazily(
        "\\bwe (?:talked about|agreed|discussed|decided|went over|have been over)\\b|\\bhow (?:often|many times) (?:do|must|should) i\\b"
      )
    },
    {
      words: [
        "that",
        "this",
        "it",
        "your",
        "the",
        "there",
        "that's",
        "this's",
        "there's",
        "make",
        "makes",
        "making",
        "doesn't",
        "symptom",
        "symptoms",
        "break",
        "breaks"
      ],
      pattern: lazily(
        "^(?:that|this|it) (?:\\w+ ){1,5}\\w+, not (?:the|my|what|a|our)\\b|\\bsymptoms?\\b.{0,30}\\bcause\\b",
        "^(?:this|that|your) \\w+ (?:is|was) (?:\\w+ )?(?:useless|pointless|nonsense|garbage|misleading|unhelpful|unnecessary|overkill)\\b",
        "\\b(?:there is|there's|there are) no such\\b|\\b(?:that|this|the) (?:\\w+ ){0,2}(?:doesn't|does not|don't) (?:even )?exist\\b",
        "\\b(?:makes? no|doesn't make (?:any )?|not making any) sense\\b|\\b(?:is|that's|this is) (?:just |only )?a (?:workaround|hack|band-?aid)\\b",
        "\\b(?:that|this)(?:'s| is) not (?:how|it\\b|what|why|where|the (?:bug|problem|issue|cause|point|question|right \\w+)\\b)|\\b(?:that|this) isn't (?:how|it\\b|what|why|where|right)",
        `\\b(?:your|the|this|that) (?:last |latest |new )?${work} (?:doesn't|does not|didn't|did not|isn't|is wrong|is broken|fails|broke|breaks)\\b`,
        `\\b(?:this|that|it) (?:breaks?|broke|ruins?|kills?|messes)\\b|\\bbreaks? (?:again|the (?:build|tests?|layout))`
      )
    },
    {
      words: ["i", "i've", "not"],
      pattern: lazily(
        "\\bi (?:can't|don't|cannot|still can't) (?:\\w+ )?(?:see|notice|spot) (?:any|a|the) (?:difference|change|improvement)|\\bi (?:can't|cannot|won't) (?:merge|ship|use|accept|approve) (?:this|that|it)\\b",
        "^not as .{1,60}\\bbut as\\b|\\bi(?:'ve| have| had to)? (?:just )?(?:reverted?|undid|undone|undo|roll(?:ed)? back) (?:your|that|the last)\\b"
      )
    },
    {
      words: ["again"],
      pattern: lazily("\\b(?:fail(?:s|ing)?|broken|crash\\w*|red|wrong|happening|error\\w*) again\\b(?!st)")
    },
    {
      words: ["another", "put", "way", "as"],
      pattern: lazily(
        "\\banother \\d+ (?:\\w+ )?(?:errors?|failures?|warnings?)\\b",
        "\\bput (?:it|that|them|this) back\\b|\\bthe way (?:it|they) (?:was|were)\\b|\\bas (?:it|they) (?:was|were) before\\b"
      )
    }
  ]
  const first = any(
    "^(?:doesn't|does not|didn't|did not|won't|isn't|still not|not) (?:work|fix|help|build|compile|start|load|render|pass|working|fixed|it\\b|this one|that one|there,|like that|what i)",
    "^(?:no|nope|nah|hm+ no|um no)(?:[,.:!]| -) ?\\S",
    "^(?:bad|meh|yikes|ew+|oof|nah|nope|wrong|incorrect)[,.!:]|^again[:,]|^wrong (?:\\w+ ?){1,3}$",
    "^(?:almost|close|closer|better|nearly|not bad|good|great|nice|cool|thanks|thank you|thx|works)(?: \\w+)?,? but (?!first|can|could|please|also|let)",
    "^too (?:\\w+)[.!,]*$",
    "^same (?:as before|thing|result|problem|error|issue)\\b|^no (?!need|more)\\w+s in\\b|^(?:please )?(?:stick to|follow|respect) (?:the|our|what) .{0,30}\\bwe\\b",
    "^we (?:already|don't|do not|never) (?:have|use|do|did|want|need) (?!to\\b)",
    "^did you (?:even|actually|really)\\b|^(?:have|are) you (?:even|actually)\\b|^why (?:is|are) (?:there|the|this) .{0,40}\\b(?:still|now|again|suddenly)\\b",
    "^(?:stop|quit|enough) (?:with )?(?:\\w+ing|the)\\b|^(?:undo|revert)(?: that| it| this| your| the last|[.!,]|$)"
  )
  const aside = any(
    "^(?:if|when|whenever|once|unless|until|in case|should|make sure|ensure|check|verify|imagine|suppose|assume|let's|let us)\\b",
    "^(?:a |the |our |some |many |several |one )?(?:users?|customers?|clients?|people|colleagues?|somebody|someone|reporters?|support|qa)\\b",
    "\\bso that\\b|\\bsuch that\\b|\\bin case\\b",
    "^(?:i|my|we|our)\\b.{0,20}\\b(?:broke|last (?:change|commit)|own (?:change|commit)|messed up)\\b|\\bby my (?:last )?(?:change|commit)\\b|^my \\w+"
  )
  const rule =
    /^(?:please )?(?:don't|do not|never)\b.{0,80}\b(?:yet|anything|until|before|unless|without|for now|first|only|if|when|while)\b(?!.*\bnext time\b)|^not (?:yet|now|today|sure)\b/
  const isComplaint = (text: string): boolean => {
    const said = new Set(text.split(/[^a-z']+/))
    return complaints.some(
      ({ pattern, words }) => words.some((word) => said.has(word)) && pattern().test(text)
    )
  }
  return { isComplaint, first, aside, rule }
}

let made: Cues | undefined

export const cues = (): Cues => (made ??= make())
