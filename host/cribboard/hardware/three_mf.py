"""Parts to print as 3MF, which unlike STL names its unit, and whose triangles share their corners."""

from __future__ import annotations

import io
from collections.abc import Mapping
from xml.sax.saxutils import escape

from trimesh import Trimesh
from trimesh.exchange.stl import load_stl

from cribboard.hardware.archive import archive

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
MODEL = "3D/3dmodel.model"
XML = '<?xml version="1.0" encoding="UTF-8"?>\n'
TYPES = f"""{XML}<Types xmlns="{PACKAGE}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/>
</Types>
"""
RELATIONS = f"""{XML}<Relationships xmlns="{PACKAGE}/relationships">
<Relationship Id="model" Target="/{MODEL}" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>
</Relationships>
"""


def beside(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files, and after each STL the same part as 3MF."""
    made: dict[str, bytes] = {}
    for name, contents in files.items():
        made[name] = contents
        stem, dot, kind = name.rpartition(".")
        if kind == "stl":
            made[f"{stem}{dot}3mf"] = three_mf(stem, Trimesh(**load_stl(io.BytesIO(contents))))
    return made


def three_mf(name: str, mesh: Trimesh) -> bytes:
    """A mesh in millimetres as a 3MF file with one object."""
    corners = "\n".join(f'<vertex x="{x:.4f}" y="{y:.4f}" z="{z:.4f}"/>' for x, y, z in mesh.vertices)
    triangles = "\n".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.faces)
    model = f"""{XML}<model unit="millimeter" xml:lang="en" xmlns="{CORE}">
<metadata name="Title">{escape(name)}</metadata>
<metadata name="Application">cribboard</metadata>
<resources><object id="1" type="model" name="{escape(name, {'"': "&quot;"})}"><mesh>
<vertices>
{corners}
</vertices>
<triangles>
{triangles}
</triangles>
</mesh></object></resources>
<build><item objectid="1"/></build>
</model>
"""
    return archive({"[Content_Types].xml": TYPES.encode(), "_rels/.rels": RELATIONS.encode(), MODEL: model.encode()})
