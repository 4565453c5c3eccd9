# Asks the provider in __FILE__ as promptfoo does.
import importlib.util, json, os, sys

path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__FILE__")
sys.path.insert(0, os.path.dirname(path))
given = json.load(sys.stdin)
answer, sys.stdout = sys.stdout, sys.stderr
spec = importlib.util.spec_from_file_location("provider", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
messages = given["messages"]
prompt = messages[0]["content"] if len(messages) == 1 else json.dumps(messages)
options = {"config": json.loads(__CONFIG__)}
found = module.__FUNCTION__(prompt, options, {"vars": given["context"].get("metadata", {})})
if found.get("error"):
    sys.exit(str(found["error"]))
output = found.get("output")
json.dump({"content": output if isinstance(output, str) else json.dumps(output)}, answer)
