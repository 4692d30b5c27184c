"""The manifest as Pydantic models. Each field is a key of the JSON document; its docstring says what the key means."""
