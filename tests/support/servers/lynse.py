"""The ids that LynseDB's own client gives for each vector: a request on standard input, lists on standard output."""

import json
import sys

import lynse

asked = json.load(sys.stdin)
client = lynse.VectorDBClient(uri=f"http://127.0.0.1:{asked['port']}")
collection = client.get_database(asked["database"]).get_collection(asked["collection"])
found = [collection.search(vector, k=asked["limit"]) for vector in asked["vectors"]]
json.dump([[str(chunk) for chunk in result.ids] for result in found], sys.stdout)
