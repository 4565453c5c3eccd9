# An agent without any SDK: writes its requests to a socket by hand and reads what comes back, byte by byte.
import hashlib, json, os, socket, sys
from urllib.parse import urlsplit


def call(messages):
    base = urlsplit(os.environ["OPENAI_BASE_URL"])
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]
    body = json.dumps({"model": "gpt", "messages": messages, "tools": tools, "stream": True}).encode()
    key = os.environ.get("OPENAI_API_KEY", "")
    head = (
        f"POST {base.path}/chat/completions HTTP/1.1\r\nHost: {base.netloc}\r\nContent-Type: application/json\r\n"
        f"Authorization: Bearer {key}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    with socket.create_connection((base.hostname, base.port)) as connection:
        connection.sendall(head.encode() + body)
        received = b""
        while True:
            part = connection.recv(65536)
            if not part:
                break
            received += part
    head, _, rest = received.partition(b"\r\n\r\n")
    chunks = []
    while True:
        size, _, rest = rest.partition(b"\r\n")
        if int(size, 16) == 0:
            break
        chunks.append(rest[: int(size, 16)])
        rest = rest[int(size, 16) + 2 :]
    return head.split(b" ")[1].decode(), chunks


def said(chunks):
    text, calls = "", {}
    for line in b"".join(chunks).decode().split("\n"):
        if not line.startswith("data: ") or line == "data: [DONE]":
            continue
        for choice in json.loads(line[6:])["choices"]:
            text += choice["delta"].get("content") or ""
            for call in choice["delta"].get("tool_calls") or []:
                known = calls.setdefault(call["index"], {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
                known["id"] = call.get("id") or known["id"]
                for key in ("name", "arguments"):
                    known["function"][key] += call["function"].get(key) or ""
    return text, list(calls.values())


messages = [{"role": "user", "content": sys.argv[1]}]
for _ in range(3):
    status, chunks = call(messages)
    text, calls = said(chunks)
    digests = [hashlib.sha256(chunk).hexdigest()[:12] for chunk in chunks]
    print(json.dumps({"status": status, "text": text, "calls": calls, "chunks": digests}))
    if not calls:
        break
    messages.append({"role": "assistant", "content": text, "tool_calls": calls})
    messages += [{"role": "tool", "tool_call_id": each["id"], "content": "rain"} for each in calls]
