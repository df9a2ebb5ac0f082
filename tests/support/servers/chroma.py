"""The ids that Chroma's own client gives for each vector: a request on standard input, lists on standard output."""

import json
import sys

import chromadb

asked = json.load(sys.stdin)
client = chromadb.HttpClient(host="127.0.0.1", port=asked["port"])
collection = client.get_collection(asked["collection"], embedding_function=None)
found = collection.query(query_embeddings=asked["vectors"], n_results=asked["limit"], include=[])
json.dump(found["ids"], sys.stdout)
