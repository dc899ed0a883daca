"""From wire names back to canonical ids: exactly, or not at all."""

import pytest

from conformance.inventory.wire_ids import canonical_id, known_names

LONG = "view:settings.organization.billing.invoices.history.table.readState"


@pytest.mark.parametrize(
    ("wire_name", "expected"),
    [
        ("domain_list-invoices", "domain:list-invoices"),
        ("view_devices__table__selectRows", "view:devices.table.selectRows"),
        ("view_devices__table__selectRows_at_main", "view:devices.table.selectRows@main"),
        ("view_at__a__a", "view:at.a.a"),
        ("surface_discover", "wire:surface_discover"),
        ("view_", "wire:view_"),
        ("listInvoices", "wire:listInvoices"),
        ("domain_orders__refund_now_0_1w0ud7j", "wire:domain_orders__refund_now_0_1w0ud7j"),
    ],
)
def test_a_name_is_read_backwards_only_if_it_is_spelled_so_forwards(wire_name: str, expected: str) -> None:
    """A guess would put one capability's changes under another's name."""
    assert expected == canonical_id(wire_name, {})


@pytest.mark.parametrize(
    ("name", "wire_name"),
    [
        (LONG, "view_settings__organization__billing__invoices__histor_0_162oil0"),
        ("domain:orders.refund_now", "domain_orders__refund_now_0_1w0ud7j"),
        ("view:clients.card.clear@left", "view_clients__card__clear_at_left"),
    ],
)
def test_a_shortened_name_is_looked_up(name: str, wire_name: str) -> None:
    """A hash can't be turned back, but ids that are known from elsewhere can be spelled and compared."""
    assert name == canonical_id(wire_name, known_names([name, "not an id"]))
