"""The carrier's files in one archive for a fab that also fits parts, with the names and columns that its forms read."""

from __future__ import annotations

from cribboard.hardware.archive import archive
from cribboard.hardware.carrier import Carrier
from cribboard.hardware.fabrication import bill, middle, table

# Protel's names of layers, which every fab's reader knows.
PROTEL = {
    "carrier-top-copper.gbr": "carrier.GTL",
    "carrier-bottom-copper.gbr": "carrier.GBL",
    "carrier-top-mask.gbr": "carrier.GTS",
    "carrier-bottom-mask.gbr": "carrier.GBS",
    "carrier-top-silk.gbr": "carrier.GTO",
    "carrier-edge.gbr": "carrier.GKO",
    "carrier-plated.drl": "carrier-PTH.drl",
    "carrier-unplated.drl": "carrier-NPTH.drl",
}
# The columns of JLCPCB's forms, as the manual of KiBot has them.
JLCPCB_BILL = ("Comment", "Designator", "Footprint", "LCSC Part #", "Quantity", "Manufacturer Part Number")
JLCPCB_PLACES = ("Designator", "Mid X", "Mid Y", "Rotation", "Layer")


def jlcpcb(made: dict[str, bytes], carrier: Carrier) -> bytes:
    """An archive of three files, in the order in which its pages ask for them: boards, parts, places."""
    gerbers = archive({name: made[file] for file, name in PROTEL.items()})
    parts = [
        (value, refs.replace(" ", ","), shape, "", quantity, number)
        for refs, value, shape, quantity, number in bill(carrier)
    ]
    places = [(part.ref, *(f"{at:.2f}mm" for at in middle(part)), part.angle, "Top") for part in carrier.parts.values()]
    return archive(
        {
            "1-gerbers.zip": gerbers,
            "2-bom.csv": table(JLCPCB_BILL, parts).encode(),
            "3-places.csv": table(JLCPCB_PLACES, places).encode(),
        }
    )
