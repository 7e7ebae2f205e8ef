"""Words that carry little of what is sought. They count a little: "what is blocked" is no "blocked"."""

from __future__ import annotations

from cn_daemon.domain.libraries.ranking.stems import stem

_WORDS = (
    "a an the of to in on for with and or is are was were be been do does did i my me we our us you your it its this "
    "that these those what which who how when where why can could should would will shall may might must not no if so "
    "than then there here from by at as into out up off over about any some all each every has have had just only "
    "very own too also im ive id s t re"
)
STOPWORDS = frozenset(stem(word) for word in _WORDS.split())
# What a question asks with: it may be what is sought as well (a command that searches), and counts half.
_ASKING = (
    "need want like help find show give get tell provide recommend suggest look looking search please any some "
    "best good great way ways thing things something someone somebody anything know make using use try trying "
    "possible able available information details interested assist offer offers let love wondering specific "
    "certain different various particular"
)
ASKING = frozenset(stem(word) for word in _ASKING.split()) - STOPWORDS
