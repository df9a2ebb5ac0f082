"""A retrieval endpoint over a folder of Markdown that tells its stages: python3 server.py FOLDER PORT"""
import collections, http.server, json, math, pathlib, re, sys
words = lambda text: re.findall(r"\w+", text.lower())
FOLDER, CHUNKS = pathlib.Path(sys.argv[1]), []
for file in sorted(FOLDER.rglob("*.md")):
    front, body = re.match(r"(?:---\n(.*?)^---\n)?(.*)", file.read_text("utf-8"), re.S | re.M).groups("")
    scope, path = {w for line in re.findall(r"^scope:(.*)", front, re.M) for w in words(line)}, []
    body = re.sub(r"^(\S.*)\n(==+|--+)$", lambda line: "#" * (1 + (line[2][0] == "-")) + f" {line[1]}", body, flags=re.M)
    parts = re.split(r"^(#+) (.*)\n$", body, flags=re.M)  # a level, a heading, the text below it, and so on
    for level, heading, text in zip(parts[1::3], parts[2::3], parts[3::3]):
        path, body = path[: len(level) - 1] + [heading], text.strip()
        slug = "/".join("-".join(words(part)) for part in path["title:" in front :])
        CHUNKS += [{"id": f"{file.relative_to(FOLDER).with_suffix('')}#{slug}".rstrip("#"), "document": path[0], "heading": path,
                    "text": body, "scope": scope, "words": collections.Counter(words(" ".join([text] + path * 3)))}] * bool(body)
SEEN, AVERAGE = collections.Counter(w for c in CHUNKS for w in c["words"]), sum(c["words"].total() for c in CHUNKS) / len(CHUNKS)

def keyword(asked, chunk):  # BM25
    rare, length = {w: math.log(1 + (len(CHUNKS) - SEEN[w] + 0.5) / (SEEN[w] + 0.5)) for w in asked}, chunk["words"].total()
    return sum(rare[w] * 2.2 * (n := chunk["words"][w]) / (n + 0.3 + 0.9 * length / AVERAGE) for w in rare)

def rerank(asked, chunk):  # how much of the question stands in the heading, and how much in the text as one phrase
    telling, text, n = {w for w in asked if len(w) > 3}, f" {' '.join(words(chunk['text']))} ", len(asked)
    phrase = max((j - i for i in range(n) for j in range(i + 1, n + 1) if f" {' '.join(asked[i:j])} " in text), default=0)
    return len(telling & set(words(" ".join(chunk["heading"][1:])))) / (len(telling) or 1) + phrase / (n or 1)

def answer(question, asker, context, limit, params, **_):
    asked, groups = words(" ".join(context[-2:] + [question])), set(asker["groups"] or [])
    order = lambda score, chunks: sorted(((score(asked, c), c) for c in chunks), key=lambda hit: -hit[0])
    found = [hit for hit in order(keyword, [c for c in CHUNKS if not c["scope"] or c["scope"] & groups]) if hit[0] > 0][:50]
    again = order(rerank, [c for _, c in found[:20]]) + [(None, c) for _, c in found[20:]]
    stages, shown = [("keyword", found), ("rerank", again)][: 1 + bool(params.get("rerank"))], ("id", "document", "heading", "text")
    return {"results": [{"score": s} | {key: c[key] for key in shown} for s, c in stages[-1][1][:limit]],
            "stages": [{"name": name, "ranking": [{"id": c["id"], "score": s} for s, c in hits]} for name, hits in stages]}

class Endpoint(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.dumps(answer(**json.loads(self.rfile.read(int(self.headers["Content-Length"]))))).encode()
        self.send_response(200), self.send_header("Content-Length", str(len(body))), self.end_headers(), self.wfile.write(body)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Endpoint).serve_forever()
