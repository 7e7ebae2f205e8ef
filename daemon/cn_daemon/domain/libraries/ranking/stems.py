"""English stems by Porter's algorithm (M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980).

Departures: a final y turns to i only after a consonant (as in his later English stemmer, so that deploy and deployed
meet), British spellings and some irregular forms are brought to one first. A word that is not plain lower-case ASCII
letters, or has fewer than four, is its own stem.
"""

from __future__ import annotations

import re

_C, _V = "[^aeiou]", "[aeiouy]"
_CS, _VS = _C + "[^aeiouy]*", _V + "[aeiou]*"
# m counts vowel-consonant sequences: m > 0, m = 1, m > 1, and whether there is a vowel at all.
_M_GT_0 = re.compile(f"^(?:{_CS})?{_VS}{_CS}")
_M_EQ_1 = re.compile(f"^(?:{_CS})?{_VS}{_CS}(?:{_VS})?$")
_M_GT_1 = re.compile(f"^(?:{_CS})?{_VS}{_CS}{_VS}{_CS}")
_VOWEL = re.compile(f"^(?:{_CS})?{_V}")
_CVC = re.compile(f"^{_CS}{_V}[^aeiouwxy]$")
_DOUBLE = re.compile(r"([^aeiouylsz])\1$")
_Y_AFTER_CONSONANT = re.compile(r".[^aeiouy]y$")
_PLAIN = re.compile(r"[a-z]{4,}")

# Spelled two ways, and forms that no suffix rule brings together.
_BRITISH = re.compile(r"(?<=[a-z]{3}[iy])s(?=(?:e|ed|er|ers|es|ing|ation|ations)$)")
_IRREGULAR = {
    "analysis": "analyze", "analyses": "analyze", "built": "build", "found": "find", "wrote": "write",
    "written": "write", "ran": "run", "sent": "send", "kept": "keep", "made": "make", "broken": "break",
    "behaviour": "behavior", "colour": "color", "colours": "color", "indices": "index", "indexes": "index",
    "schemas": "schema", "schemata": "schema", "caught": "catch", "took": "take", "chose": "choose",
}  # fmt: skip

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al",
    "er", "ic", "ou",
)  # fmt: skip
_ENDING_2 = re.compile("(" + "|".join(sorted(_STEP_2, key=len, reverse=True)) + ")$")
_ENDING_3 = re.compile("(" + "|".join(sorted(_STEP_3, key=len, reverse=True)) + ")$")
_ENDING_4 = re.compile("(" + "|".join(_STEP_4) + "|(?<=[st])ion)$")


def stem(word: str) -> str:
    """The stem of a folded word: deploys, deployed, deployment → deploi."""
    if not _PLAIN.fullmatch(word):
        return word
    word = _BRITISH.sub("z", _IRREGULAR.get(word, word))
    first = word[0]
    if first == "y":
        word = "Y" + word[1:]
    word = _plural(word)
    word = _past(word)
    if word[-1] == "y" and _Y_AFTER_CONSONANT.search(word):
        word = word[:-1] + "i"
    word = _replaced(word, _ENDING_2, _STEP_2)
    word = _replaced(word, _ENDING_3, _STEP_3)
    found = _ENDING_4.search(word)
    if found and _M_GT_1.match(word[: found.start()]):
        word = word[: found.start()]
    word = _final_e(word)
    return "y" + word[1:] if first == "y" else word


def _plural(word: str) -> str:
    if word.endswith(("sses", "ies")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _M_GT_0.match(word[:-3]) else word
    base = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    if not base or not _VOWEL.match(base):
        return word
    if base.endswith(("at", "bl", "iz")) or _CVC.match(base):
        return base + "e"
    return base[:-1] if _DOUBLE.search(base) else base


def _replaced(word: str, ending: re.Pattern[str], table: dict[str, str]) -> str:
    found = ending.search(word)
    if found and _M_GT_0.match(word[: found.start()]):
        return word[: found.start()] + table[found[1]]
    return word


def _final_e(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        if _M_GT_1.match(base) or (_M_EQ_1.match(base) and not _CVC.match(base)):
            word = base
    if word.endswith("ll") and _M_GT_1.match(word[:-1]):
        word = word[:-1]
    return word
