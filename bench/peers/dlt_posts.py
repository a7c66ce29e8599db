# Reads the same answers as bench/run.mjs with dlt's REST source into DuckDB, merged by id, as dlt does by default.
import json
import sys

import dlt
from dlt.sources.rest_api import rest_api_resources

with open("addresses.json") as file:
    addresses = json.load(file)


def resource(index, address):
    return {
        "name": f"window_{index}",
        "table_name": "posts",
        "write_disposition": "merge",
        "primary_key": "id",
        "endpoint": {"path": address, "paginator": "single_page", "data_selector": "$"},
    }


client = {"base_url": addresses[0].split("/analytics/")[0], "auth": {"type": "bearer", "token": "key"}}
windows = [resource(index, address) for index, address in enumerate(addresses)]
destination = dlt.destinations.duckdb(f"{sys.argv[1]}/dlt.duckdb")
pipeline = dlt.pipeline("posts", pipelines_dir=f"{sys.argv[1]}/dlt", destination=destination)
pipeline.run(rest_api_resources({"client": client, "resources": windows}))
