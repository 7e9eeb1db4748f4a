"""LiteLLM as a client of the assistant: pip install litellm."""

import json
import os
import sys

import litellm

connection = {
    "model": "openai/nanobot",
    "api_base": sys.argv[1],
    "api_key": os.environ.get("NANOBOT_API_KEY", "any"),
}
parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
weather = {"type": "function", "function": {"name": "weather", "parameters": parameters}}
day = {
    "type": "object",
    "properties": {"day": {"type": "string"}},
    "required": ["day"],
    "additionalProperties": False,
}


def ask(content, **more):
    messages = [{"role": "user", "content": content}]
    return litellm.completion(messages=messages, **connection, **more).choices[0].message


def ask_in_pieces(content):
    stream = litellm.completion(messages=[{"role": "user", "content": content}], stream=True, **connection)
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream)


schema = {"type": "json_schema", "json_schema": {"name": "day", "strict": True, "schema": day}}
print(ask("When do we meet?").content)
print(ask_in_pieces("And then?"))
print(json.loads(ask("the day after Sunday", response_format=schema).content)["day"])
print(ask("How is the weather?", tools=[weather]).tool_calls[0].function.arguments)
print(litellm.responses(input="And after that?", **connection).output[-1].content[0].text)
