"""The ids that LynseDB's own client gives for a vector: a request on standard input, a JSON list on standard output."""

import json
import sys

import lynse

asked = json.load(sys.stdin)
client = lynse.VectorDBClient(uri=f"http://127.0.0.1:{asked['port']}")
collection = client.get_database(asked["database"]).get_collection(asked["collection"])
found = collection.search(asked["vector"], k=asked["limit"])
json.dump([str(chunk) for chunk in found.ids], sys.stdout)
