# Your agent: reads the conversation as JSON, writes its reply as JSON. Call your model here.
import json
import re
import sys

request = json.load(sys.stdin)
asked = request["messages"][-1]["content"]
day = re.search(r"monday|tuesday|wednesday|thursday|friday", asked, re.IGNORECASE)

if day is None:
    reply = {"content": "Which day suits you?", "tool_calls": [], "awaiting_input": True}
else:
    reply = {
        "content": f"Your table is booked for {day.group()}.",
        "tool_calls": [{"name": "book_table", "args": {"day": day.group()}}],
    }
json.dump(reply, sys.stdout)
