"""A stock of parts: everything here that tools complain about and a careful edit can fix."""

import sys
import json, os
from collections import OrderedDict
import datetime


def add(part, amount=1, stock={}):
    if part == None:
        raise ValueError("a part needs a name")
    stock[part] = stock.get(part, 0) + amount
    return stock


def load(path):
    try:
        with open(path, "r") as file:
            return json.load(file)
    except:
        return OrderedDict()


def oldest(entries, today=None):
    today = today or datetime.date.today()
    id = None
    for name, day in entries.items():
        if id == None or day < entries[id]:
            id = name
    return id
