"""What a sentence speaks of: the words before its verb, and numbers that are names. Pure text; compares nothing.

`Case 17` and `step 3` name a thing, `17 cases` count it. Where no verb is known, a preposition ends the subject.
"""

import re

# Words that end a subject. Plural forms only where they are no noun as often.
_VERBS = """
is are was were has have had can cannot can't could may might must shall should will would does do did doesn't don't
never not isn't aren't wasn't weren't won't
accepts allows answers applies asks asked belongs breaks calls checks cleans closes comes compares computes contains
contain converts copies counts covers creates defaults delegates deletes depends drains drops emits ends expects expires
expire fails follows forwards gets gives goes handles happens holds hold hosts ignores includes includes keeps keep kept
knows lasts lists listens lives live loads logs looks makes maps means merges moves needs need opens owns parses passes
prints puts raises reads receives reconnects refers refuses rejects removes rejects renders replaces requires require
resolves retries returns rotates runs saves sends sets shows skips sorts starts stays stops stores supports takes throws
tries triggers updates uses use used validates waits wants warns works writes
"""
_PREPOSITIONS = "after at because before by during for from in into on per since than to until via when with without"
_LABELS = """
case chapter chunk column entry error example exercise exit item issue level line node note page phase
question requirement row rule scenario section shard sprint stage status step task test ticket variant worker
"""


def _any_of(words: str) -> str:
    return "|".join(sorted(map(re.escape, set(words.split())), key=len, reverse=True))


_VERB = re.compile(rf"(?<![\w`'./-])(?:{_any_of(_VERBS)})(?![\w`'(./-])|[:=](?=\s|\d)|:$", re.IGNORECASE)
_PREPOSITION = re.compile(rf"(?<![\w`'./-])(?:{_any_of(_PREPOSITIONS)})(?![\w`'(./-])", re.IGNORECASE)
_LIKE_A_VERB = re.compile(r"(?<=[\w`] )[a-z]{2,}(?:[^\W\dsu]s|ed)(?= )")  # sees, polled; no list of verbs is complete
_CJK_VERB = re.compile(
    "不?是|为|為|使用|采用|(?<![启禁使采引调应作费])用|由|在|有(?!效)|不?需要|不?支持|不?能|可以|保留|保存|保持|运行|返回|最多|至少|默认|は|が|는|은"
)
_LABEL = re.compile(rf"(?<![\w`])({_any_of(_LABELS)})\s+#?(\d+)(?![\w.%]|\s*[a-z]?b\b)", re.IGNORECASE)
_ORDINAL = re.compile("第([0-9一二三四五六七八九十]+)")
_DIGITS = str.maketrans("一二三四五六七八九", "123456789")
_FIRST_LABEL = re.compile(rf"\W*(?:\w+ )?(?:nth|(?:{_any_of(_LABELS)})(?=\d))\w+", re.IGNORECASE)
_LEAST_HEAD = re.compile(r"[^\W_]{2}")
_ARTICLE = re.compile(r"^\W*(?:(?:the|a|an|this|that|our|its|all|every|each|any)\b\W*)*", re.IGNORECASE)


def labelled(folded: str) -> str:
    """The text with `case 17` as one word, so that it is read as a name and not as a figure."""
    return _ORDINAL.sub(lambda found: f" nth{found[1].translate(_DIGITS)} ", _LABEL.sub(r"\1\2", folded))


def head(folded: str) -> str:
    """What stands before the verb, else before a preposition, else a label at the start; "" when there is none."""
    for ending in (_VERB, _LIKE_A_VERB, _PREPOSITION) if folded.isascii() else (_CJK_VERB, _VERB):
        for found in ending.finditer(folded):
            before = folded[: found.start()]
            if _LEAST_HEAD.search(_ARTICLE.sub("", before)):
                return before
    label = _FIRST_LABEL.match(folded)
    return label[0] if label else ""
