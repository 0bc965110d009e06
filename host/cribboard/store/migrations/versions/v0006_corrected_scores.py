"""Whether a score was corrected in a game that is won."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("scores", sa.Column("corrected", sa.Boolean, nullable=False, server_default=sa.false()))
