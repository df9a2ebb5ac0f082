"""A retrieval system that loses the supporting chunk of each of its cases in another way, for tests of the diagnosis.

    python3 lossy.py PLACE          an HTTP endpoint: the port is its first line on stdout; it ends when stdin does
    python3 lossy.py PLACE --lines  the same as a `command` retriever: JSON lines on stdin and stdout

PLACE is a folder that it fills for Caselight, with everything in it made from the table FAULTS below:

    corpus-index/chunks.jsonl   the corpus; the supporting chunk of fault F is called F, its distractor F-distractor
    cases/caselight.toml        k = 3, depth = 5, retriever `lossy` at this server, and these configs:
                                trace, list (the same answers without stages), before (an older index, for a baseline)
    cases/faults.yaml           one case for each fault, its id is the fault's name
    cases/broken/label.yaml     the case whose label is broken, apart because no run starts on it; not in `[cases] files`
    expected.json               by fault: the verdict's kind, and where it is known its stage, why, rank, from, to

It is an honest pipeline and knows no fault when it answers: scope → keyword → dedupe → rerank → floor → cap → the first `limit`.
Keyword counts the words that question and text share; every chunk has words of its own besides, so that asking these finds
whatever is in the index. A fault is only how texts, headings, documents and scopes were written. Parameters, all optional:

    trace = false     sends no stages                     rerank = false    keeps the keyword order
    dedupe = false    keeps near-identical texts          floor = 0         drops no low score (3 without it)
    cap = 0           drops none of one document (2)      index = "before"  answers as the older index did

An asker reads what is for everybody and what shares a group; the asker whose id is `auditor` reads everything.
"""

import functools
import http.server
import json
import os
import pathlib
import sys
import threading

WORDS, OWN, K, DEPTH, CAP, FLOOR = 24, 12, 3, 5, 2, 3


def rank(place, **more):
    """A chunk that shares so many words with the question that it stands at `place` among the fillers."""
    return {"place": place, **more}


# By fault: how the supporting chunk is written, then what else its case has, then the verdict to be expected.
FAULTS = {
    "found": (rank(1), {}, {"kind": "found", "rank": 1}),
    "outranked": (rank(2), {"distractor": 1}, {"kind": "outranked", "rank": 2, "by_rank": 1}),
    "partly_found": (rank(1), {"second": 5}, {"kind": "partly_found"}),
    "below_window": (rank(5), {}, {"kind": "below_window", "rank": 5}),
    "below_depth": (rank(9), {}, {"kind": "below_window", "rank": 9}),
    "demoted_inside": (rank(1), {"boosted": 2}, {"kind": "demoted", "stage": "rerank", "from": 1, "to": 3}),
    "demoted_out": (rank(2), {"boosted": 4}, {"kind": "demoted", "stage": "rerank", "from": 2, "to": 5}),
    "demoted_below_baseline": (rank(3, before=1), {}, {"kind": "demoted", "from": 1, "to": 3}),
    "dropped_by_cap": (rank(3, document="Crowd"), {"crowd": 2}, {"kind": "dropped", "stage": "cap", "why": "cap"}),
    "dropped_by_floor": (rank(22), {"fillers": 2}, {"kind": "dropped", "stage": "floor", "why": "floor"}),
    "dropped_by_dedupe": (rank(2, twin=True), {}, {"kind": "dropped", "stage": "dedupe", "why": "dedupe"}),
    "never_candidate": (rank(WORDS), {}, {"kind": "never_candidate"}),
    "not_indexed": (rank(1, indexed=False), {}, {"kind": "not_indexed"}),
    "out_of_scope": (rank(1, scope=["board"]), {}, {"kind": "out_of_scope"}),
    "scoped_in_production": (rank(1, only=["board"]), {}, {"kind": "out_of_scope"}),  # the corpus does not know it
    "leaked": (rank(1, scope=["board"], leaks=True), {}, {"kind": "out_of_scope", "rank": 1}),
    "error": (rank(1), {}, {"kind": "retriever_error"}),
    "unanswerable_clean": (None, {"distractor": 9}, {"kind": "unanswerable_clean"}),
    "unanswerable_distracted": (None, {"distractor": 2}, {"kind": "unanswerable_distracted", "rank": 2}),
    "label_broken": (rank(1), {}, {"kind": "label_broken"}),
}


def word(number):
    """An invented word; no two numbers give the same."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    return "".join(syllables[number // 70**at % 70] for at in range(3)) + "n"


def chunks():
    """Every chunk of the corpus, with what only the pipeline knows of it under `_`."""
    for number, (fault, (supporting, case, _)) in enumerate(FAULTS.items()):
        topic = [word(number * 1000 + at) for at in range(WORDS)]
        used = WORDS

        def chunk(id, place, document=None, heading="Terms", scope=(), **hidden):
            nonlocal used
            own = [word(number * 1000 + used + at) for at in range(OWN)]
            used += OWN
            text = " ".join(topic[: WORDS - place] + own) + "."
            earlier = " ".join(topic[: WORDS - hidden.get("before", place)] + own) + "."
            heading = [document or f"Sheet {id}", heading]
            return {"id": id, "document": heading[0], "heading": heading, "text": text, "scope": list(scope),
                    "_": {"place": place, "earlier": earlier, **hidden}}

        extra = []
        if supporting:
            extra.append(chunk(fault, **supporting))
        if "distractor" in case:
            extra.append(chunk(f"{fault}-distractor", case["distractor"]))
        if "second" in case:
            extra.append(chunk(f"{fault}-second", case["second"]))
        taken = {chunk["_"]["place"] for chunk in extra} if not (supporting or {}).get("twin") else set()
        yield from extra
        for place in range(1, 1 + case.get("fillers", 18)):
            if place in taken:
                continue
            boosted = place - sum(other < place for other in taken) <= case.get("boosted", 0)
            document = "Crowd" if place <= case.get("crowd", 0) else None
            filler = chunk(f"{fault}-{place}", place, document, topic[0].title() if boosted else "Notes")
            if supporting and supporting.get("twin") and place == 1:
                filler["text"] = filler["_"]["earlier"] = topic[-1] + " " + extra[0]["text"]
            yield filler


CORPUS = list(chunks())
TOPICS = {fault: [word(number * 1000 + at) for at in range(WORDS)] for number, fault in enumerate(FAULTS)}
QUESTIONS = {fault: "Which of " + " ".join(topic) + "?" for fault, topic in TOPICS.items()}


@functools.cache
def words(text):
    return frozenset("".join(c if c.isalnum() else " " for c in text.lower()).split())


def alike(a, b):
    return len(a & b) / len(a | b) >= 0.8


def answer(request):
    """The pipeline."""
    question, params, limit = words(request["question"]), request.get("params") or {}, request.get("limit") or 10
    asker = request.get("asker") or {}
    groups, reads_all = set(asker.get("groups") or []), asker.get("id") == "auditor"
    if request["question"] == QUESTIONS["error"]:
        return {"error": "shard 3 of the index cannot be read"}
    old = params.get("index") == "before"
    stages = []

    def stage(name, ranking, dropped=(), why=""):
        scored = [{"id": c["id"], "score": score(c)} for c in ranking]
        stages.append({"name": name, "ranking": scored, "dropped": [{"id": c["id"], "why": why} for c in dropped]})
        return ranking

    def text(chunk):
        return words(chunk["_"]["earlier"] if old else chunk["text"])

    def score(chunk):
        return len(question & text(chunk))

    def readable(chunk):
        scope = chunk["_"].get("only") or chunk["scope"]
        return reads_all or not scope or groups & set(scope) or chunk["_"].get("leaks")

    found = [c for c in CORPUS if c["_"].get("indexed", True) and readable(c) and score(c)]
    ranking = stage("keyword", sorted(found, key=lambda c: (-score(c), c["id"])))
    if params.get("dedupe", True):
        kept, dropped = [], []
        for chunk in ranking:
            (dropped if any(alike(text(chunk), text(k)) for k in kept) else kept).append(chunk)
        ranking = stage("dedupe", kept, dropped, "dedupe")
    if params.get("rerank", True):
        # Sorting is stable: what the headings do not tell apart stays in its order.
        ranking = stage("rerank", sorted(ranking, key=lambda c: -len(question & words(c["heading"][-1]))))
    if floor := params.get("floor", FLOOR):
        ranking, low = [c for c in ranking if score(c) >= floor], [c for c in ranking if score(c) < floor]
        stage("floor", ranking, low, "floor")
    if cap := params.get("cap", CAP):
        seen, kept, dropped = {}, [], []
        for chunk in ranking:
            seen[chunk["document"]] = seen.get(chunk["document"], 0) + 1
            (kept if seen[chunk["document"]] <= cap else dropped).append(chunk)
        ranking = stage("cap", kept, dropped, "cap")
    results = [{**{key: c[key] for key in ("id", "text", "document", "heading")}, "score": score(c)} for c in ranking]
    return {"results": results[:limit], **({"stages": stages} if params.get("trace", True) else {})}


def case(fault):
    supporting, more, _ = FAULTS[fault]
    lines = [f"- question_id: {fault}", f"  question: {json.dumps(QUESTIONS[fault])}", "  tags: [fault]"]
    if not supporting:
        lines += ["  answerable: false"]
    elif fault == "label_broken":
        lines += ["  supporting:", "    - {chunk: no-such-chunk}"]
    else:
        lines += ["  supporting:", f"    - {{chunk: {fault}}}"]
        lines += [f"    - {{chunk: {fault}-second}}"] if "second" in more else []
    if "distractor" in more:
        lines += ["  distractors:", f"    - {{chunk: {fault}-distractor}}"]
    return "\n".join(lines) + "\n"


SETTINGS = """default_config = "trace"
default_asker = "employee"

[cases]
files = ["faults.yaml"]

[corpus]
source = "../corpus-index/chunks.jsonl"
index = "../corpus-index"

[askers.employee]
groups = ["staff"]
[askers.auditor]
groups = ["staff", "board"]

[retrievers.lossy]
%s
"""
# How the stages of `list`, which sends no trace, are switched off for experiments.
SWITCHES = """
[configs.list.without]
dedupe = { dedupe = false }
rerank = { rerank = false }
floor = { floor = 0 }
cap = { cap = 0 }

[diagnosis]
unscoped_asker = "auditor"
"""
CONFIG = '\n[configs.%s]\nretriever = "lossy"\nk = %d\ndepth = %d\nparams = { %s }\n'


def fill(place, reach):
    def write(name, text):
        path = pathlib.Path(place, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    public = [{key: value for key, value in chunk.items() if key != "_"} for chunk in CORPUS]
    write("corpus-index/chunks.jsonl", "".join(json.dumps(chunk) + "\n" for chunk in public))
    configs = [("trace", "trace = true"), ("list", "trace = false"), ("before", 'trace = true, index = "before"')]
    written = "".join(CONFIG % (c, K, DEPTH, params) for c, params in configs)
    write("cases/caselight.toml", SETTINGS % reach + written + SWITCHES)
    write("cases/faults.yaml", "\n".join(case(fault) for fault in FAULTS if fault != "label_broken"))
    write("cases/broken/label.yaml", case("label_broken"))
    write("expected.json", json.dumps({fault: expected for fault, (_, _, expected) in FAULTS.items()}, indent=1))


class Endpoint(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = answer(request)
        body = json.dumps(reply).encode()
        self.send_response(500 if "error" in reply else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    place = sys.argv[1]
    if "--lines" in sys.argv:
        for line in sys.stdin:
            request = json.loads(line)
            print(json.dumps({"n": request["n"], **answer(request)}), flush=True)
        return
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    server.daemon_threads = True
    fill(place, f'type = "http"\nurl = "http://127.0.0.1:{server.server_port}/"')
    print(server.server_port, flush=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
