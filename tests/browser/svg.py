"""Checks that charts look the same in a program that is no browser: rsvg-convert draws each SVG that is named, on white
paper and with the colours of the style sheet.

    python3 tests/browser/svg.py light.css FILE.svg...
"""

import re
import struct
import subprocess
import sys
import zlib


def pixels(svg):
    """The colours of the picture, a byte each for red, green and blue."""
    png = subprocess.run(["rsvg-convert", "--background-color", "white", svg], check=True, capture_output=True).stdout
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", png[16:29])
    assert depth == 8 and kind in (2, 6) and not interlaced, "8 bits a channel, with or without transparency"
    channels = 3 if kind == 2 else 4
    data, at = b"", 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at : at + 8])
        data += png[at + 8 : at + 8 + length] if name == b"IDAT" else b""
        at += 12 + length
    rows = zlib.decompress(data)
    before, step = bytes(channels * width), channels * width
    for row in range(height):
        start = row * (step + 1)
        before = unfiltered(rows[start], rows[start + 1 : start + 1 + step], before, channels)
        yield from zip(before[0::channels], before[1::channels], before[2::channels])


def unfiltered(method, line, above, channels):
    """A row of a PNG, of which the row above is known."""
    out = bytearray(line)
    for at in range(len(out)):
        before = at - channels
        left, up, corner = (out[before], above[at], above[before]) if before >= 0 else (0, above[at], 0)
        guess = left + up - corner
        near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
        out[at] = (out[at] + [0, left, up, (left + up) // 2, near][method]) & 0xFF
    return bytes(out)


def main(sheet, *charts):
    colours = dict(re.findall(r"--(\w+): #([0-9a-f]{6})", open(sheet).read()))
    known = {tuple(bytes.fromhex(colour)): name for name, colour in colours.items()}
    faults = 0
    for chart in charts:
        counts = {}
        for pixel in pixels(chart):
            counts[pixel] = counts.get(pixel, 0) + 1
        total = sum(counts.values())
        white, black = counts.get((255, 255, 255), 0) / total, counts.get((0, 0, 0), 0) / total
        drawn = {name for colour, name in known.items() if colour in counts and name != "back"}
        if white < 0.3 or black > 0.01 or not drawn:
            print(f"{chart}: {100 * white:.0f}% white, {100 * black:.0f}% black, colours {sorted(drawn)}")
            faults += 1
    print(f"{len(charts)} charts drawn without a browser")
    return 1 if faults or not charts else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
