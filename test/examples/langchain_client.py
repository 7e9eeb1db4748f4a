"""LangChain as a client of the assistant: pip install langchain-openai."""

import os
import sys

from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel

key = os.environ.get("NANOBOT_API_KEY", "any")
model = ChatOpenAI(base_url=sys.argv[1], model="nanobot", api_key=key)
responses = ChatOpenAI(base_url=sys.argv[1], model="nanobot", api_key=key, use_responses_api=True)


class Day(BaseModel):
    """A day of the week."""

    day: str


@tool
def weather(city: str) -> str:
    """Weather of a city."""
    return f"rain in {city}"


print(model.invoke("When do we meet?").content)
print("".join(piece.content for piece in model.stream("And then?")))
print(model.with_structured_output(Day).invoke("the day after Sunday").day)
print(model.with_structured_output(Day, method="json_mode").invoke("as JSON: the day after Monday").day)
print(model.with_structured_output(Day, method="function_calling").invoke("the day after Tuesday").day)
call = model.bind_tools([weather]).invoke("How is the weather?").tool_calls[0]
print(weather.invoke(call["args"]))
print(responses.invoke("And after that?").text)
print("".join(piece.text for piece in responses.stream("And at the end?")))
