"""How amounts and counts are written for a person."""


def euros(cents: int) -> str:
    """Write cents as whole euros: ``€18,400``; half a euro rounds up."""
    return f"€{(cents + 50) // 100:,}"


def days(count: int) -> str:
    """Write a number of days."""
    return "1 day" if count == 1 else f"{count} days"
