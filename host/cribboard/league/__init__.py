"""An evening of people: who plays whom and where, what results count, and who stands how.

Nothing here knows a database, a clock or a board, and chance is always given: the kiosk, the command line and pages
use it alike.
"""
