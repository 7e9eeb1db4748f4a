"""The official Python client of OpenAI, talking to the assistant: pip install openai."""

import base64
import json
import os
import sys

from openai import OpenAI
from pydantic import BaseModel

client = OpenAI(base_url=sys.argv[1], api_key=os.environ.get("NANOBOT_API_KEY", "any"))


class Day(BaseModel):
    day: str


def ask(content):
    messages = [{"role": "user", "content": content}]
    answer = client.chat.completions.create(model="nanobot", messages=messages)
    return answer.choices[0].message.content


def ask_in_pieces(content):
    stream = client.chat.completions.create(
        model="nanobot",
        messages=[{"role": "user", "content": content}],
        stream=True,
        stream_options={"include_usage": True},
    )
    chunks = list(stream)
    assert chunks[-1].usage.total_tokens > 0
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def respond_in_pieces(content):
    with client.responses.stream(model="nanobot", input=content) as stream:
        pieces = [event.delta for event in stream if event.type == "response.output_text.delta"]
        final = stream.get_final_response()
    assert "".join(pieces) == final.output_text
    return final.output_text


def find_day(content):
    messages = [{"role": "user", "content": content}]
    answer = client.chat.completions.parse(model="nanobot", messages=messages, response_format=Day)
    return answer.choices[0].message.parsed.day


def find_day_by_response(content):
    return client.responses.parse(model="nanobot", input=content, text_format=Day).output_parsed.day


def use_tool(content):
    """The client runs its own tool, and sends the whole conversation with the result."""
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    tools = [{"type": "function", "function": {"name": "weather", "parameters": parameters}}]
    messages = [{"role": "user", "content": content}]
    call = client.chat.completions.create(model="nanobot", messages=messages, tools=tools).choices[0].message
    messages.append(call)
    for each in call.tool_calls:
        city = json.loads(each.function.arguments)["city"]
        messages.append({"role": "tool", "tool_call_id": each.id, "content": f"rain in {city}"})
    answer = client.chat.completions.create(model="nanobot", messages=messages, tools=tools)
    return answer.choices[0].message.content


def attach():
    data = base64.b64encode(b"The code is 4711.").decode()
    file = {"filename": "notes.txt", "file_data": f"data:text/plain;base64,{data}"}
    audio = {"data": data, "format": "wav"}
    return ask(
        [
            {"type": "text", "text": "What is in these?"},
            {"type": "file", "file": file},
            {"type": "input_audio", "input_audio": audio},
        ]
    )


print(client.models.list().data[0].id)
print(ask("When do we meet?"))
print(ask_in_pieces("And then?"))
print(respond_in_pieces("And after that?"))
print(find_day("the day after Sunday"))
print(find_day_by_response("the day after Monday"))
print(use_tool("How is the weather?"))
print(attach())
