"""On: of the game that is on at a board its number, of which the span tells the game, instead of that and a state."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    query = sa.text("SELECT uid, epoch, rev, standing, heard FROM boards")
    rows = [row._asdict() for row in op.get_bind().execute(query)]
    known = [{**row, "number": number} for row in rows if (number := _number(row.pop("standing"))) is not None]
    op.drop_table("boards")
    boards = op.create_table(
        "boards",
        sa.Column("uid", sa.String(32), nullable=False),
        sa.Column("epoch", sa.BigInteger, nullable=False),
        sa.Column("rev", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("heard", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("uid", name="pk_boards"),
    )
    op.bulk_insert(boards, known)


def _number(standing: str) -> int | None:
    """The number in a board's state; None where a disk has changed that: the board says it again."""
    try:
        number = json.loads(standing)[1]
    except (ValueError, TypeError, LookupError):
        return None
    return number if isinstance(number, int) else None
