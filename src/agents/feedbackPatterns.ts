/** The words of praise and of correction. Made when the first prompt is looked at: most hook calls have none. */

export interface Patterns {
  /** Corrections, wherever in a sentence they stand. */
  readonly correcting: RegExp
  /** Corrections at the beginning of a sentence only. */
  readonly correctingFirst: RegExp
  /** What sounds like a correction and is none. */
  readonly harmless: RegExp
  readonly praising: RegExp
  /** Whoever begins so asks for something. */
  readonly requesting: RegExp
  /** In a plain statement about the agent, or about what it has just done. */
  readonly complaining: RegExp
  readonly commending: RegExp
}

/** Any of these, each with the words that it begins with. */
const any = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"))

const make = (): Patterns => {
  const doesNot =
    "(?:does ?n[o']t|did ?n[o']t|do ?n[o']t|is ?n[o']t|wo ?n[o']t|was ?n[o']t|doesnt|didnt|isnt)"
  const it = "(?:that|this|it|your \\w+|your \\w+ in ‹\\d+›)"
  const bad =
    "(?:wrong|incorrect|broken|worse|bad|terrible|awful|horrible|ugly|useless|nonsense|garbage|overkill|a mess|off)"
  const deed =
    "(?:broke|break|deleted|removed|forgot|missed|misunderstood|misread|ignored|hallucinated|made (?:that|it|this) up|" +
    "messed|overwrote|skipped|didn't|did not|haven't|have not|keep \\w+ing|should have|should not have|shouldn't have|" +
    "were supposed|weren't supposed|changed the wrong|put it in the wrong)"

  /** Corrections, wherever in a sentence they stand. */
  const correcting = any(
    `\\b${it}(?:'s| is| was| looks| seems) (?:just |completely |totally |plain |simply |now |also |even |still |really )*${bad}\\b`,
    `\\b${it}(?:'s| is| was)? (?:(?:not|never) )(?:what|how|right|correct|it\\b|good|quite|working|true|acceptable)`,
    "\\bnot what i (?:asked|wanted|meant|said|need)",
    `\\b${it} (?:still )?${doesNot} (?:work|fix|help|compile|build|run|do |solve|change|what|right|correct|even)`,
    `(?:^|[,;:] |\\b(?:and|but|now|ok|so|because|if) )${it} (?:still )?(?:breaks?|broke|fails|crashes)\\b`,
    "^(?:and )?(?:it's |it is |that's |this is )?still (?:broken|fail|not |wrong|the same|does|crash|red)",
    "\\b(?:it's|it is|is) still (?:fail|broken|not work|wrong|crash)",
    "\\b(?:the )?same (?:error|problem|issue|mistake)(?: as before| again)?(?:[.!,]|$)",
    `\\byou(?:'ve| have|'d| just| also| again| still)* ${deed}\\b`,
    "\\byou(?:'re| are) (?:ignoring|over-?engineering|overcomplicating|not listening|wrong|missing|breaking)",
    "\\bwhat you (?:just |have )?(?:wrote|did|made) (?:is|was) (?:not|wrong)",
    `\\byou (?:just )?(?:wrote|made|added|changed) (?:is|are|was|were) ${bad}`,
    `\\bis ${bad} in what you\\b`,
    "\\bi (?:said|told you|meant|already told|didn't ask|did not ask|never asked|asked for)\\b",
    "^actually,? i (?:wanted|meant|need)",
    "\\bi (?:don't|do not|really don't) (?:like|want) (?:this|that|it|your|the)",
    "\\bi hate (?:this|that|it|how)",
    "\\b(?:made|makes|making) (?:it|things|that|this|everything) worse\\b|\\bworse than before\\b",
    `\\b${it}(?:'s| is) (?:way |far |much )too (?:complicated|complex|verbose|long|much|clever)`,
    "^(?:great|nice|thanks|cool|ok|perfect|awesome),? (?:now|and now) .{0,60}\\b(?:fail|broke|broken|crash|wrong|error)",
    "\\bnow (?:the |all |all the |my |everything |it |nothing )?\\w* ?(?:fails?|is broken|are broken|crashes|works)\\b.{0,40}\\bagain",
    "\\buntil you (?:touched|changed|broke)",
    "\\b(?:second|third|fourth|\\d+th) time i\\b|\\bhow many times\\b",
    "\\bwhy (?:did|would|do|have|are|were|on earth did) you\\b",
    "\\b(?:can|could|would|will) you (?:please )?(?:stop|not) \\w+ing",
    "\\bwhat (?:did|have) you (?:do|done)\\b",
    "\\byou (?:can't|cannot|can not|shouldn't|should not|must not|mustn't|may not) \\w+",
    "\\byou (?:just )?left (?:a|an|the|out|in|some|this|it)\\b",
    "\\bwithout (?:asking|permission|telling me|being asked|my consent)\\b",
    "\\bi (?:only|just) (?:wanted|asked)|\\bi'd rather you|\\bi asked you|\\b(?:as|like) i (?:said|wrote|asked|described|told)",
    "\\bopposite of what i\\b|\\bnothing (?:has )?changed\\b|\\bno (?:change|difference|improvement|better)(?:[.,!]|$)",
    "\\b(?:properly|correctly|right) this time\\b",
    "\\byour (?:last |latest |new )?\\w+ (?:leaves|misses|lacks|ignores|introduced|introduces|duplicates|removes|removed|is missing|is not)\\b",
    "\\b(?:the|your) (?:last|latest|previous) (?:edit|change|commit|fix|version|attempt) (?:introduced|broke|breaks|caused|made it)",
    "^(?:nice|good) try\\b|\\b(?:didn't|did not|doesn't|does not) help\\b|\\bno luck\\b|\\bstill (?:get|getting|see|seeing)\\b",
    "\\b(?:worked|working|was fine|were passing|passed|was green) before\\b(?! i\\b)|\\bbefore your (?:change|edit|fix|commit)",
    "\\byou (?:were|have been) told\\b|\\bdo what i (?:say|said|ask)|^leave .{1,60} (?:as it (?:was|is)|as they (?:were|are)|alone)\\b",
    "^i wanted (?!to\\b)|^less \\w+, more|^wrong \\w+[.!]*$|\\bi wanted (?:it|this|that|them) (?:kept|to)\\b",
    "\\b(?:fine|ok|okay|good|green) until (?:you|your|this|that|the last|the latest)\\b|^back to square one\\b|^(?:second|third|fourth|\\d+th) time (?:asking|saying)\\b",
    "\\bit (?:just |literally )+(?:deleted|removed|broke|overwrote|wiped|dropped|reverted)\\b|\\bnobody asked for (?:this|that|it|an?)\\b(?!.*\\byet\\b)",
    "^(?:this|that|it)(?:'s| is| was) (?:way |far |much |so )*over-?(?:engineered|complicated|kill)\\b|\\bi find (?:this|that|it) (?:harder|worse)\\b",
    "^looks? (?:good|great|fine|nice|ok|right)\\b.{0,10} (?:except|apart from|but)\\b",
    "\\b(?:remove|delete|drop|take out|get rid of)\\b.{0,60}\\byou (?:just |have )?(?:added|wrote|put|introduced|made)\\b",
    "👎"
  )

  /** Corrections at the beginning of a sentence only: elsewhere the same words ask for something. */
  const correctingFirst = any(
    "^(?:no|nope|nah)(?:,? (?:no|nope))+\\b",
    "^(?:no|nope|nah)[,.!;:]? +(?:that|this|it|use|you|i |not|don't|do not|the |leave|put|keep|please|same|still|wrong|revert)",
    "^(?:wrong|incorrect|nonsense)(?:[,.!:]| file| place| function| one\\b|$)",
    "^(?:not|almost)(?: quite| right| good enough| really| there)?(?:[,.!]| [-–—])",
    "^(?:useless|pointless|terrible|awful|horrible|garbage)[.!,]|^(?:they|it|that) (?:doesn't|don't|didn't|isn't|aren't)[.!]*$",
    "^not good enough|^not like (?:this|that)|^bad idea|^too (?:long|short|slow|verbose|complicated|complex|much)\\b",
    "^(?:that|this) (?:\\w+ ){1,3}(?:is|are|looks?) (?:wrong|incorrect|broken)",
    "^we (?:don't|do not|never) (?:use|do|want|allow|write|commit|put)\\b",
    "^again, |^no[.!]$|^(?:nope|nah)[.!]*$",
    "^(?:please )?stop(?:[.!]|$| it\\b| that\\b| doing| \\w+ing\\b)",
    "^(?:please )?(?:don't|do not|never) (?!forget|worry|hesitate|stop|wait|mind|know|care)\\w+",
    "^(?:please )?(?:revert|undo|roll back|rollback|take back) (?:that|this|it\\b|your|the last|all)",
    "^(?:please )?roll (?:that|this|it) back",
    "^ugh\\b|^wtf\\b|^seriously\\?",
    "^(?:nein|falsch)\\b|\\bdas ist (?:falsch|nicht)|\\b(?:stimmt|funktioniert|geht) (?:immer noch )?nicht\\b",
    "^non\\b|\\bce n'est pas\\b|\\bc'est faux\\b|\\bça ne marche\\b",
    "\\best[áa] mal\\b|\\bno funciona\\b|\\bincorrecto\\b|\\beso no es\\b"
  )

  /** What sounds like a correction and is none. */
  const harmless =
    /\b(?:found|fixed|caught|spotted|solved|squashed) (?:the|a|that|this|my|our|another)(?: \w+)? (?:bugs?|errors?|problems?|issues?|mistakes?|typos?|leaks?)\b|\bnot (?:wrong|bad|broken|incorrect)\b|^no (?:problem|worries|complaints|need|rush|idea|thanks|issues?|regressions?|tests? needed)\b/g

  const good =
    "(?:perfect|great|awesome|excellent|amazing|brilliant|beautiful|wonderful|fantastic|lovely|superb|outstanding|neat|sweet)"

  const praising = any(
    `^(?:wow|oh|ok|okay|yes|yeah|yep|ah)?[,!.]? ?(?:this is |that's |that is |that was |it's |it is |looks? )?(?:really |very |just |so |actually |absolutely |simply )*${good}(?:[.!,;:]|$| (?:work|job|stuff|idea|catch|solution|answer|thanks|thank|improvement|refactor))`,
    "^(?:many |ok |okay |yes |great |perfect |cool |nice |and )*(?:thanks|thank you|thx|cheers|tyvm|ty)(?!-)\\b(?! in advance)",
    "^(?:very |really |so |that's |that is )*nice(?:ly done)?(?:[.!,;:]|$| one| work| job| catch| improvement| touch)",
    "^exactly(?:[.!]| like (?:this|that)| right|$)|^finally[.!]|^works[.!]*$",
    "\\b(?:that|this|it)(?:'s| is) (?:so |much |a |really |very |such a |quite |way |actually )*(?:nicer|cleaner|better|faster|simpler|clearer|clever|smart|elegant|neat|gold)\\b",
    "\\bi'?(?:m| am) (?:really |very |so )?impressed\\b|(?<!would |'d )\\bappreciate (?:the|your|it|that|how)\\b",
    "\\byou(?:'re| are) (?:a|the|an) (?:lifesaver|life saver|best|star|genius|legend|hero)\\b|\\byou(?:'re| are) (?:amazing|awesome|great|brilliant)\\b",
    "\\bi was (?:after|looking for|hoping for)\\b",
    "^(?:all )?(?:the )?(?:tests|build|checks|everything) (?:is|are) (?:all )?(?:green|passing)\\b",
    "^(?:cool|sweet|wow|yay|bravo|lgtm|yess+)(?:[.!,]|$)(?=.{0,80}(?:that|it|fast|work|nice|great|the one|thanks|$))",
    "\\b(?:good|nice|great|excellent|brilliant) (?:catch|call|point|job|work|thinking|find)\\b",
    "\\bbrilliant idea\\b|^good idea\\b",
    "\\bwell done\\b|\\bwell (?:spotted|found|caught)[.!]*$|\\bgood bot\\b|\\bgood stuff\\b",
    "^(?:it|this|that|everything|the \\w+)? ?(?:all )?looks? (?:really |very )?(?:good|great|perfect|nice|right|awesome)",
    "^(?:yes,? |yep,? |great,? |ok,? )?(?:it|that|this|everything|the \\w+) (?:now |finally |all )?works?(?: now| great| perfectly| like| fine| as|[.!,]|$)",
    "\\bworks (?:like a charm|perfectly|beautifully|great now)",
    "\\b(?:that|this|it)(?:'s| is| was) (?:exactly |precisely |really |very |just |totally )*(?:right|correct|perfect|great|helpful|useful|much better|better|what i (?:wanted|needed|meant|need|asked)|the one|spot on|clean|fast)(?:[.!,]|$| now| than| thanks)",
    "\\b(?:exactly|just|precisely) what i (?:wanted|needed|asked|meant|need)",
    "\\bit's what i (?:need|want)",
    "(?<!would |'d |not |don't )\\bi (?:really |absolutely )?(?:love|like) (?:it|this|that|how|the|your|what)\\b",
    "^nailed it\\b|^(?:10|ten)\\/(?:10|ten)\\b|^chef'?s kiss\\b|\\byou (?:nailed|crushed|rock|rocked|were right|are right|got it right|did (?:it|great|well))\\b",
    "\\b(?:that|this|it) (?:fixed|solved|did the trick|helped)\\b|^(?:fixed|solved)[.!]?$|, solved\\b",
    "^(?:so |much )*much (?:better|cleaner|nicer|faster|clearer|simpler)\\b",
    "\\b(?:is|are|was|were) (?:spot on|fantastic|awesome|brilliant|excellent|superb|perfect now|amazing)\\b",
    "\\bcouldn't be better\\b|\\bkeep it up\\b|\\bkeep doing it\\b|^spot on\\b",
    "^very clean\\b|^not bad\\b|^no complaints\\b",
    "^danke\\b|\\bpasst so\\b|^super gemacht|^sehr gut|^merci\\b|\\bc'est parfait|^parfait\\b|^perfecto\\b|^gracias\\b|^genial\\b",
    "^(?:👍|🎉|💯|❤|🙏|👏)|(?:👍|🎉|💯|❤|🙏|👏)\\ufe0f?[\\s!.]*$",
    "^(?:i )?(?:really |just |absolutely )?(?:love|like) (?:it|this|that)\\b|^all (?:green|good|passing|fixed|set)(?: now)?(?:[.!,]|$)",
    "^(?:yup|yes|yep|yeah)?[,.!]? ?(?:this|that) is it[.!]*$|\\b(?:big|huge|great|real|nice) improvement\\b|^(?:solid|stellar)[.!]|^solid, (?:merging|shipping|thanks)|^(?:neat|nice|clever|cool) trick\\b|^(?:that|this)(?:'s| is| was) the (?:bug|problem|cause|culprit|one)[.!]*$|^(?:that's |this is |it's |that was |this was )?(?:even |way |much |far )?(?:better|smoother|easier|faster) than (?:i )?(?:hoped|expected|thought)[.!]*$|^(?:solid|stellar|clean|excellent) (?:work|job|stuff|solution|approach|fix|code)\\b",
    "^(?:kudos|props|perfekt|approved|chapeau)(?:[.!,]|$)|^looking (?:good|great|nice)\\b|^(?:confirmed|verified)[,.] .{0,40}\\b(?:gone|fixed|resolved)(?: (?:now|after|with) .{0,30})?[.!]*$",
    "^(?:the|those|these|your) (?:\\w+ ){1,3}looks? (?:really |so |very )?(?:fantastic|great|good|amazing|awesome|perfect|nice|excellent)\\b",
    "^works(?: now| fine| great| perfectly| like| well|[.,!]|$)"
  )

  /** Whoever begins so asks for something, or says under which condition. */
  const requesting =
    /^(?:please|can|could|would|will|should|shall|may|do|does|did|is|are|was|were|has|have|if|once|when|whenever|while|unless|how|what|which|where|who|let|let's|add|write|create|make|fix|use|explain|describe|implement|build|run|check|find|show|tell|give|update|change|rename|move|remove|delete|replace|refactor|investigate|look|review|test|set|put|try|translate|generate|convert|commit|push|open|read|search|list|improve|optimi[sz]e|document|install|configure|ensure|verify|debug|answer|summari[sz]e|i want|i need|i would|i'd|we need|we want|you can|you could|you may|you are an?|you should)\b/

  const faulty =
    "(?:wrong|incorrect|bad|badly|broken|broke|errors?|bugs?|buggy|mistakes?|typos?|circular|duplicated?|dead|deprecated|invalid|insecure|returns? [45]\\d\\d|flaky|fails?|failing|failed|missing|not|\\w+n't|never|too|worse|worst|instead|" +
    "unreadable|confusing|useless|messy|ugly|sloppy|hacky|half|nonsense|unnecessary|redundant|outdated|slow|crash\\w*|regression|misleading)"
  const flaw =
    "(?:unreadable|wrong|incorrect|confusing|hacky|messy|ugly|verbose|inconsistent|incomplete|misleading|redundant|unnecessary|" +
    "sloppy|buggy|catastrophic|half|overkill|nonsense|hard to (?:read|follow|understand)|outdated|backwards?|pointless|unacceptable|do(?:es)? nothing|nothing happens)"
  const merit =
    "(?:great|good|perfect|perfectly|awesome|excellent|amazing|brilliant|beautiful|beautifully|wonderful|fantastic|lovely|superb|clean|cleanest|best|better|nicer|" +
    "helpful|useful|clever|elegant|impressive|solid|neat|nice|nicely|well|smart|precisely|exactly|flawless|flawlessly|smooth|smoothly|readable)"

  /** In a plain statement about the agent, or about what it has just done, one such word is enough. */
  const complaining = any(
    `\\b(?:you|your|you're|you've)\\b.{0,80}\\b${faulty}\\b`,
    `\\byou (?:just )?(?:generated|wrote|added|made|changed|created|put)\\b.{0,60}\\b${faulty}\\b`,
    `^(?:that|this|it|which)(?:'s| \\w+){0,4} .{0,30}\\b${flaw}\\b`,
    `^(?:that|this) (?:isn't|is not|wasn't|was not) (?!urgent|important|a bug|my|related|needed|necessary|about)\\w`,
    `\\b(?:but|though|however|except) .{0,40}\\b${flaw}\\b`
  )
  const commending = any(
    `^(?:i (?:think|guess|must say|have to say|find) )?(?:that|this|it|your|the (?:new|diff|code|result|output|version|docs?|fix|change|refactoring|design|layout|explanation|answer|summary))(?:'s|\\b).{0,50}\\b${merit}\\b`,
    "\\byou (?:saved|helped|made my day|are on fire|did it|got it)\\b",
    "\\b(?:very |so |really )?happy with (?:that|this|it|the|your)|\\bimpressive\\b|\\bpleased with\\b",
    "^(?:yay|woo\\w*|hooray|hurray|yess+|sick|super|sweet|good|great|nice|cool)(?:[.!,]|$)|^yay\\b|^that's it[.!]*$",
    "\\b(?:had in mind|was hoping for|always wanted)\\b"
  )
  return { correcting, correctingFirst, harmless, praising, requesting, complaining, commending }
}

let made: Patterns | undefined

export const patterns = (): Patterns => (made ??= make())
