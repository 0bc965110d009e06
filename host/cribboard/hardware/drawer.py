"""A drawer for a deck of cards and pegs, which hangs on two rails below the back, and the legs that make room for it.

It lies outside of the case, where a boxed deck is too high beside guides and buttons: so no wall is cut, and no wire is
in its way. It comes out at the near edge up to a stop, when the whole deck lies free. Screws as at the light guides,
from inside the back, hold rails and legs. Millimetres: x along the near edge, y away from it, z down from the back, u
from the drawer's side outwards.
"""

from __future__ import annotations

from cribboard.hardware.description import Shape
from cribboard.hardware.shape import Point
from cribboard.hardware.stack import BAR_MM, CLAMP_HOLE_MM, GUIDE_MM

# A boxed poker deck: cards of 63.5 x 88.9 mm, 19 mm high, its box 66 x 92; before it lies a finger.
DECK_MM, FINGER_MM = (93.0, 67.0, 20.5), 8.0
PEGS_MM = 20.0  # the room for pegs, beside the deck
SIDE_MM, FLOOR_MM, FRONT_MM = 2.0, 1.6, 3.0
PLAY_MM, SLOPE_PLAY_MM = 0.4, 0.5  # between drawer and back or rails, and upright between the slopes that it hangs on
EDGE_MM = 1.0  # how thick the edge of an ear is, from which a slope of 45 degrees goes down to the drawer's side
FLANGE_MM, EAR_MM = 4.0, 6.0  # how far out the flanges reach that it hangs on, and the ears at their ends that stop it
EAR_LONG_MM, LAND_MM = 18.0, 8.0  # how long an ear is, and the narrow end of a rail that stops it
LIP_MM = 0.4  # of the thin edge of a rail's slope
HIGH_MM = GUIDE_MM + BAR_MM  # of a rail, and of a leg above its nut: the screws are those of light guide and bar
BESIDE_MM = CLAMP_HOLE_MM / 2 + 2.0  # from a screw's middle to the end of what it holds
GRIP_MM = (24.0, 14.0)  # the notch in the front for a finger
LEG_MM, LEG_WIDE_MM, LEG_SLACK_MM = 20.0, 18.0, 0.4  # and of a nut in its pocket

BODY_MM = 3 * SIDE_MM + DECK_MM[0] + PEGS_MM  # without flanges
TALL_MM = PLAY_MM + DECK_MM[2] + FLOOR_MM  # from the back to below the drawer
DIVIDER_MM = FRONT_MM + FINGER_MM + DECK_MM[1]  # the end of the deck's room
RAIL_FROM_MM = FRONT_MM + PLAY_MM
EAR_FROM_MM = RAIL_FROM_MM + LAND_MM + DIVIDER_MM  # so that the divider comes to the board's edge
DEEP_MM = EAR_FROM_MM + EAR_LONG_MM
RAIL_LONG_MM = DEEP_MM + PLAY_MM + LAND_MM - RAIL_FROM_MM
CHANNEL_MM, NARROW_MM = EAR_MM + PLAY_MM, FLANGE_MM + PLAY_MM
SCREW_U_MM = CHANNEL_MM + BESIDE_MM
RAIL_OUT_MM = SCREW_U_MM + BESIDE_MM
SCREW_IN_MM = 15.0  # from a rail's end to its screw
WHOLE_MM = BODY_MM + 2 * RAIL_OUT_MM, RAIL_FROM_MM + RAIL_LONG_MM  # what both take of the back's underside
TRAVEL_MM = EAR_FROM_MM - RAIL_FROM_MM - LAND_MM  # until the stop


def lift_mm(shape: Shape) -> float:
    """How much higher a board stands on the legs of its drawer; 0 without one."""
    return LEG_MM if shape.drawer else 0.0


def flange(reach: float) -> list[Point]:
    """The section of a flange or an ear: u and z."""
    slope = PLAY_MM + EDGE_MM + EAR_MM
    return [(0.0, PLAY_MM), (reach, PLAY_MM), (reach, slope - reach), (0.0, slope)]


def rail(inner: float) -> list[Point]:
    """The section of a rail whose channel ends at this u."""
    slope = PLAY_MM + EDGE_MM + EAR_MM + SLOPE_PLAY_MM
    tip = slope - HIGH_MM + LIP_MM
    return [
        (tip, HIGH_MM),
        (RAIL_OUT_MM, HIGH_MM),
        (RAIL_OUT_MM, 0.0),
        (inner, 0.0),
        (inner, slope - inner),
        (tip, HIGH_MM - LIP_MM),
    ]


def rail_screws(left: float) -> list[Point]:
    """The screws of both rails, of a drawer whose left rail begins at this x."""
    xs = left + RAIL_OUT_MM - SCREW_U_MM, left + RAIL_OUT_MM + BODY_MM + SCREW_U_MM
    return [(x, y) for x in xs for y in (RAIL_FROM_MM + SCREW_IN_MM, RAIL_FROM_MM + RAIL_LONG_MM - SCREW_IN_MM)]
