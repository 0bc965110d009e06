"""What each side's hands came to as dealer and as pone."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    for name in ("dealer_hands", "dealer_points", "pone_hands", "pone_points"):
        op.add_column("scores", sa.Column(name, sa.Integer, nullable=False, server_default="0"))
