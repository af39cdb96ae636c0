"""Loads the events of a PyTorch trace into a data frame, as a user would."""

import json
import sys

import pandas

with open(sys.argv[1], encoding="utf-8") as file:
    events = pandas.DataFrame(json.load(file)["traceEvents"])
print(len(events))
