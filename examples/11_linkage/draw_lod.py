"""Draws LOD curves as an SVG picture: python3 draw_lod.py MPFC > lod_curve.svg

The trait moves over the whole map. Its neighbours change at each marker, so each interval is one run.
"""
import csv
import io
import subprocess
import sys

MARKERS = (0.0, 10.5361, 21.6932)  # in centimorgans: -50 ln(1 - 2 theta), added up
GAP = 0.001  # the places of the markers are rounded
FIRST, LAST = -20.0, 40.0
WIDTH, HEIGHT, LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT = 640, 360, 60, 20, 550, 290
LEAST, MOST = -1.0, 5.0


def scores(mpfc, first, last):
    """Returns rows (position, score of each family, score of both) between two neighbours."""
    done = subprocess.run(
        [mpfc, "run", "families.ped", "--loci", "families.dat", "--position", str((first + last) / 2), "-D",
         f"position=linspace({first + GAP}, {last - GAP}, 41)", "--lod", "position=-1e6"], capture_output=True, text=True, check=True)
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    return [[float(row[name]) for name in ("position", "lod(family_1)", "lod(family_2)", "lod(evidence)")]
            for row in rows]


def x(position):
    return LEFT + PLOT_WIDTH * (position - FIRST) / (LAST - FIRST)


def y(score):
    return TOP + PLOT_HEIGHT * (MOST - max(score, LEAST)) / (MOST - LEAST)


def main(mpfc):
    ends = (FIRST, *MARKERS, LAST)
    rows = [row for first, last in zip(ends, ends[1:]) for row in scores(mpfc, first, last)]
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
          f'font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>')
    for score in range(int(LEAST), int(MOST) + 1):
        print(f'<path d="M{LEFT} {y(score):.1f}h{PLOT_WIDTH}" stroke="{"black" if score == 0 else "#ddd"}"/>'
              f'<text x="{LEFT - 8}" y="{y(score) + 4:.1f}" text-anchor="end">{score}</text>')
    for number, marker in enumerate(MARKERS, 1):
        print(f'<path d="M{x(marker):.1f} {TOP}v{PLOT_HEIGHT}" stroke="#888" stroke-dasharray="3 3"/>'
              f'<text x="{x(marker):.1f}" y="{TOP + PLOT_HEIGHT + 16}" text-anchor="middle">marker {number}</text>')
    for column, color, width, name in ((1, "#2a7", 1.2, "family 1"), (2, "#27a", 1.2, "family 2"),
                                       (3, "#c33", 2.2, "both")):
        points = "L".join(f"{x(row[0]):.1f} {y(row[column]):.1f}" for row in rows)
        print(f'<path d="M{points}" fill="none" stroke="{color}" stroke-width="{width}"/>'
              f'<text x="{LEFT + PLOT_WIDTH - 80}" y="{TOP + 16 * column}" fill="{color}">{name}</text>')
    print(f'<text x="{LEFT + PLOT_WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">place of the trait</text>'
          f'<text x="16" y="{TOP + PLOT_HEIGHT / 2}" transform="rotate(-90 16 {TOP + PLOT_HEIGHT / 2})" '
          f'text-anchor="middle">LOD score</text></svg>')


if __name__ == "__main__":
    main(*sys.argv[1:])
