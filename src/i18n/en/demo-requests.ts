// What the demo understands in English, by request. Named groups are what a request is about.

export const englishDemoRequests = {
  introduction: [
    /^(?:hi|hello|hey|yo|good (?:morning|afternoon|evening))(?: there| nanobot| again)?[\s!.,~]*$/i,
    /^\/?(?:help|usage|examples?|commands?)(?: me)?$/i,
    /^what (?:can|do|could) (?:you|i) (?:do|say|ask)\b/i,
    /^how (?:do|does|can) (?:you|this|it|i) (?:work|use)\b/i,
    /^(?:who|what) (?:are|r) (?:you|u)\b/i,
    /^what(?:'s| is) your name\b/i,
    /^(?:what|which) model\b/i,
    /^are you (?:an? )?(?:real|ai|llm|gpt|chatgpt|claude|human|person|bot|robot|offline|online)\b/i,
  ],
  tour: [
    /\b(?:with|what would|what could|what can|why)\b.{0,30}\bmodel\b.{0,30}(?:add|do|bring|need)?$/i,
    /^(?:give me |show me |take )?(?:a |the )?tour$/i,
  ],
  connecting: [
    /\b(?:connect|configure|set ?up|add|use|change|switch|choose)\b.{0,40}\b(?:model|api ?key|provider|ollama|openai|anthropic|claude|deepseek|gpt)\b/i,
  ],
  thanks: [
    /^(?:many )?(?:thanks|thank you|thx|cheers)\b.{0,30}$/i,
    /^(?:great|nice|cool|ok|okay|good)[\s!.]*$/i,
  ],
  farewell: [/^(?:bye|goodbye|good night|see you)\b.{0,20}$/i],
  clockTime: [
    /^(?:what(?:'s| is) )?(?:the )?(?:current |today's )?(?:time|date|day)(?: is it| today| now)*$/i,
    /^what (?:time|day|date) is (?:it|today)\b.{0,20}$/i,
  ],
  remind: [/^(?<before>.*?)[,，]?\s*\b(?:please\s+)?(?:remind|wake|tell|ping)\s+me\b(?<after>.*)$/is],
  timer: [
    /^(?:set |start )?(?:me )?(?:an? |the )?(?:timer|alarm)(?: for| of| to| at| in)? (?<time>.+?)(?: (?:timer|from now))?$/i,
    /^(?:set |start )(?:me )?an? (?<time>[\w -]{1,30}?) timer$/i,
  ],
  repeat: [/^(?<text>(?:every|each|daily|hourly)\b.+)$/is],
  planned: [
    /^(?:list|show)(?: me)?(?: all)?(?: my| the)? (?:reminders?|jobs?|alarms?|timers?|scheduled (?:tasks?|jobs?)|schedule)$/i,
    /^(?:what|which) (?:reminders?|jobs?|alarms?|timers?|scheduled tasks?)\b.{0,30}$/i,
    /^what(?:'s| is) (?:planned|scheduled)\b.{0,20}$/i,
  ],
  cancel: [
    /^(?:remove|delete|cancel|stop)(?: the| my)? (?:reminder|job|alarm|timer|scheduled task)s?(?:\s+(?:to |for |about )?#?(?<wanted>.+))?$/i,
  ],
  recall: [
    /^what (?:do|can|did) you (?:remember|know|recall)\b.{0,30}$/i,
    /^(?:show|read)(?: me)? (?:your|my|the) memor(?:y|ies)$/i,
    /^(?:who am i|do you (?:remember|know) me)$/i,
    /^(?:(?:do|can) you (?:know|remember|tell me) )?(?<question>(?:what|who|where|when|which|whose|how old|how many)\b.*\b(?:my|i|me|our|we|us)\b.*)$/i,
    /^(?<question>who(?:'s| is| are| was) .+)$/i,
  ],
  remember: [
    /^(?:remember|don't forget|do not forget|keep in mind)(?: this| that)?[:,]?\s+(?<fact>[\s\S]*[^?？])$/i,
    /^(?<fact>(?:my|our) [\p{L}' -]{1,60}? (?:is|are|was|were|has|have|lives?|likes?|loves?|hates?|works?|prefers?)\s[^?？]+|(?:i am|i'm|i was born|i live|i like|i love|i hate|i don't like|i prefer|i work|i have|we have|we live|call me)\s[^?？]+)$/iu,
  ],
  write: [
    /^(?:make|create|start|write|begin)(?: me)? (?:a |an |my |the )?(?:new )?(?<list>\p{L}[\p{L} -]{1,30}?) list(?:(?:[:,]| with| of)\s*(?<items>.+))?$/iu,
    /^(?:add|put) (?<items>.+?) (?:to|on|onto) (?:my |the )?(?<list>\p{L}[\p{L} -]{1,30}?) list$/iu,
    /^(?:write|make|take|add|save|create)(?: me)?(?: a| this)? note(?: that| saying| about)?[:,]?\s+(?<words>[\s\S]+?)(?<show>,? and (?:then )?show it.{0,10})?$/i,
    /^note(?: that| to self)?[:,]\s*(?<words>[\s\S]+)$/i,
    /^(?:write|save|put|add|append)\s+(?<words>[\s\S]+?)\s(?:to|into|in)\s+(?:the )?(?:file )?(?<path>"[^"]+"|\S+)$/i,
    /^create (?:a |the )?file (?:called |named )?(?<path>"[^"]+"|\S+) (?:with|containing|saying)(?: the)?(?: (?:text|content))?:?\s+(?<words>[\s\S]+)$/i,
  ],
  list: [
    /^(?:ls|dir)(?:\s+(?<place>.*))?$/i,
    /^(?:list|show)(?: me)?(?: all)?(?: of)?(?: the| my)? (?:files|folders?|director(?:y|ies)|contents|workspace)(?: (?:in|of|under|inside))?(?<place>.*)$/i,
    /^(?:what|which)(?:'s| is| are| files are| files do i have)?(?: there)? (?:in|inside)(?<place>.*)$/i,
    /^(?:what|which) files (?:are there|do (?:you|i|we) have)(?: here)?$/i,
    /^look (?:around|at (?:the|my|your) files)\b.{0,120}$/i,
    /^list (?<place>\S+)$/i,
  ],
  read: [
    /^(?:show|read|list|open)(?: me)?(?: all)?(?: of)?(?: my| the)? (?<notes>notes)$/i,
    /^(?:(?:show|read|open)(?: me)?|what(?:'s| is) on) (?:my |the )?(?<list>\p{L}[\p{L} -]{1,30}?) list$/iu,
    /^(?:read|open|show|cat|print|display|view)(?: me)?(?: the| my)?(?: contents? of)?(?: the)? file (?<name>\S+)$/i,
    /^(?:read|open|show|cat|print|display|view)(?: me)?(?: the| my)?(?: contents? of)?(?: the)?(?: file)? (?<path>.+)$/i,
    /^what(?:'s| is| does)\b.{0,20}? in (?<path>.+)$/i,
  ],
  courtesy: [
    /^(?:(?:hi|hello|hey|ok|okay|nanobot|please|pls)(?:\s+nanobot)?[\s,!.]+|(?:can|could|would|will) you (?:please )?|(?:i want|i'd like) you to )(?=\S)/i,
  ],
} satisfies Record<string, RegExp[]>;

export type DemoRequest = keyof typeof englishDemoRequests;
