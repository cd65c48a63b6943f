"""Words that carry no subject: dropped from a question unless it holds nothing else. Folded, unstemmed."""

STOP_WORDS = frozenset(
    """
    a about actually after all already also am an and another any anyone anything are aren arent around as at be
    because been before being between both but by can cannot cant come could couldn couldnt did didn didnt do does
    doesn doesnt doing don done dont each either else ever every everything for from get gets getting give given go
    goes going gone got had has hasn have haven having he help her here hers him his how i if in instead into is isn
    isnt it its itself just know let lets like ll look looks make makes many matter may maybe me might more most much
    must my need needs neither no none nor not now of off often on once one only onto or other our ours out over own
    per please put quite rather re really right s same see seem seems she should shouldn shouldnt so some someone
    something still such t take than that the their theirs them then there these they thing things this those though
    through thus to together too took toward try trying under until up upon us ve very via want wants was wasn wasnt
    way we well went were weren what whatever when where whether which while who whom whose why will with within
    without won wont would wouldn wouldnt yet you your yours d m
    """.split()  # noqa: SIM905 (a table to read, not 250 quoted words)
)

# Characters that only build sentences in Chinese and Japanese; a bigram made of these alone says nothing.
STOP_CHARACTERS = frozenset(
    "的了是在和与或及吗呢吧啊呀么什怎如何为哪谁几多少个这那些有就都而被把对于其之以到从向我你他她它们们请"
    "会能可要该应做让给得地着过也还又再则且但若因所此每各很最没不"
    "のはをにがでともやへかよねですますしたているるこそあどれなさいらく"
)
