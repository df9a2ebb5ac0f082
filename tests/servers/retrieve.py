"""A retriever for `type = "command"`: a question a line on stdin, an answer a line on stdout."""
import json, sys

PASSAGES = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]

for line in sys.stdin:
    request = json.loads(line)
    words = set(request["question"].lower().split())  # call your own retrieval here
    best = sorted(PASSAGES, key=lambda passage: -len(words & set(passage["text"].lower().split())))
    print(json.dumps({"n": request["n"], "results": [passage["id"] for passage in best[: request["limit"]]]}), flush=True)
