"""From the bytes of a file to an inventory: which format it is, and whether it can be trusted to be one."""

from dataclasses import dataclass
from typing import Any

from conformance.inventory.canonical import canonical, writer_for
from conformance.inventory.errors import FormatError
from conformance.inventory.formats.contract import ContractFile, read_contract, verify
from conformance.inventory.formats.domain import DomainFile, read_domain
from conformance.inventory.formats.fields import read_record
from conformance.inventory.formats.offered import FORMAT, OfferedFile, read_offered
from conformance.inventory.model import Inventory
from conformance.wire import strict_json

Document = DomainFile | ContractFile | OfferedFile

_EXPECTED = (
    "expected a domain snapshot (`version` 1 or 2), a surface contract (`formatVersion` 5) "
    f"or offered capabilities (`format` {FORMAT!r})"
)


@dataclass(frozen=True)
class Loaded:
    """One file that was read.

    Attributes:
        file: its name as the person gave it.
        text: what it holds.
        document: the file in its own format, for questions in that format's own terms.
        inventory: the same in the one model.
    """

    file: str
    text: str
    document: Document
    inventory: Inventory


def read_inventory(content: bytes, file: str) -> Loaded:
    """Read one inventory; `file` is its name in messages.

    Raises:
        FormatError: it is not JSON, of no known format or version, damaged, or its hashes do not fit.
    """
    try:
        value = strict_json.loads(content)
    except strict_json.NotJson as problem:
        raise FormatError(file, f"not JSON: {problem}") from None
    if not isinstance(value, dict):
        raise FormatError(file, f"{_EXPECTED}; saw {_sketch(value)}")
    document, inventory = _read(value, file)
    return Loaded(file, content.decode("utf-8"), document, inventory)


def _read(value: dict[str, Any], file: str) -> tuple[Document, Inventory]:
    if "formatVersion" in value:
        _refuse_version(file, "surface contract", "formatVersion", value, (5,))
        contract = read_record(ContractFile, value, file)
        write = writer_for(value)
        verify(value, file, write)
        return contract, read_contract(contract, file, write)
    if value.get("format") == FORMAT:
        _refuse_version(file, "file of offered capabilities", "version", value, (1,))
        offered = read_record(OfferedFile, value, file)
        return offered, read_offered(offered, file, writer_for(value))
    if "version" in value and "capabilities" in value and "format" not in value:
        _refuse_version(file, "domain snapshot", "version", value, (1, 2))
        domain = read_record(DomainFile, value, file)
        return domain, read_domain(domain, file)
    raise FormatError(file, f"{_EXPECTED}; saw {_sketch(value)}")


def _refuse_version(file: str, what: str, key: str, value: dict[str, Any], known: tuple[int, ...]) -> None:
    given = value.get(key)
    if given not in known or isinstance(given, bool | float):
        versions = " and ".join(map(str, known))
        raise FormatError(
            file,
            f"a {what} with `{key}` {_sketch(given)}, of which only {versions} can be read; update dualplane",
        )


def _sketch(value: Any) -> str:
    if isinstance(value, dict):
        keys = ", ".join(f"`{key[:30]}`" for key in list(value)[:6])
        return f"an object with {keys or 'no keys'}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return canonical(value)[:60]
