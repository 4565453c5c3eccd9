# Calls a check in Python: the request as JSON on standard input, its result on standard output, whatever the check prints.
import json, os, sys, types

LEFT = ("prompt", "provider", "logProbs", "trace", "metadata", "providerResponse")


class Context(dict):
    def get(self, name, default=None):
        return self[name] if name in self or name in LEFT else default

    def __missing__(self, name):
        raise KeyError("context." + str(name) + " is not carried over")


given = json.loads(sys.stdin.buffer.read().decode("utf-8"))
answer = sys.stdout.buffer
sys.stdout = sys.stderr
if given.get("file"):
    sys.path.insert(0, os.path.dirname(given["file"]))
    module = sys.modules["own_check"] = types.ModuleType("own_check")
    module.__file__ = given["file"]
    exec(compile(given["code"], given["file"], "exec"), module.__dict__)
    check = getattr(module, given["name"])
else:
    scope = {}
    exec(compile(given["code"], "check", "exec"), scope)
    check = scope["main"]
found = check(given["output"], Context(given["context"]))
if not isinstance(found, (bool, int, float, str, dict)):
    sys.exit("expected True, False, a number or a dict, got " + type(found).__name__)
answer.write(json.dumps({"nonce": given["nonce"], "found": found}, allow_nan=False).encode("utf-8"))
