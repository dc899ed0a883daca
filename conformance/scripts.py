"""Scripts that many cases share."""

from conformance.roles import Prepared
from fake_model import Script, call, say, script, step
from fake_model.script import Step as ScriptStep


def last_word(text: str = "Done.") -> ScriptStep:
    """A closing answer for as often as the target asks on: hosts differ in whether they do."""
    return step(say(text), asked=None, optional=True)


def answer(text: str = "Done.") -> Script:
    """A turn in which the model only talks."""
    return script(say(text))


def calling(*roles: Prepared) -> Script:
    """A turn in which the model calls these operations in one message, as offered, and then talks."""
    return script(step(*(call(role.capability, role.input) for role in roles)), last_word())


def calling_unoffered(capability: str, arguments: object = None) -> Script:
    """A turn in which the model calls a name that it should not have been offered, and then talks."""
    return script(call(capability, arguments, offered=False), last_word())
