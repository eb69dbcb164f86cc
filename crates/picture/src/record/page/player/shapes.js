// Colors, and outlines of units. An outline is in the unit's frame: x to starboard, y forward, one unit long.

/** The colors of the page's theme. */
class Colors {
  constructor(run) {
    const style = getComputedStyle(document.documentElement);
    this.of = (name) => style.getPropertyValue(`--${name}`).trim() || "gray";
    const scale = [0, 1, 2, 3, 4, 5].map((at) => rgb(this.of(`scale-${at}`)));
    this.ramp = Array.from({ length: 128 }, (_, at) => mixed(scale, at / 127));
    this.groups = run.groups.map((group, at) => ({
      own: this.of(`group-${at}`),
      marks: group.marks.map((_, mark) => this.of(`mark-${at}-${mark}`)),
    }));
    this.rgb = new Map();
  }

  /** The color of a unit: of a mark, of a value, or of its group. */
  unit(group, tint) {
    if (tint >= 128) return this.ramp[tint - 128];
    return this.groups[group].marks[tint - 1] ?? this.groups[group].own;
  }

  /** A color mixed into another one: with a share of 0 it is unchanged. */
  into(color, other, share) {
    const [from, to] = [color, other].map((name) => {
      if (!this.rgb.has(name)) this.rgb.set(name, rgb(name));
      return this.rgb.get(name);
    });
    return css(from.map((value, at) => value + (to[at] - value) * share));
  }
}

/** The channels of a color that Rust wrote. */
function rgb(color) {
  return (color.match(/[\d.]+/g) ?? [128, 128, 128]).slice(0, 3).map(Number);
}

function css([r, g, b]) {
  return `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)})`;
}

/** The color at a share of a scale. */
function mixed(scale, share) {
  const along = share * (scale.length - 1);
  const first = Math.min(Math.floor(along), scale.length - 2);
  return css(scale[first].map((value, at) => value + (scale[first + 1][at] - value) * (along - first)));
}

/** Adds a unit to a path; the heading is in pixels, y down. */
function addUnit(path, outline, x, y, headingX, headingY, length, width) {
  if (!outline.length || length < 3.5) {
    path.moveTo(x + length / 2, y);
    path.arc(x, y, Math.max(length / 2, 0.8), 0, TURN);
    return;
  }
  outline.forEach(([across, along], at) => {
    const px = x - headingY * across * width + headingX * along * length;
    const py = y + headingX * across * width + headingY * along * length;
    if (at) path.lineTo(px, py);
    else path.moveTo(px, py);
  });
  path.closePath();
}

/** Paths by color, so that each color is filled once. */
class Buckets {
  constructor() {
    this.paths = new Map();
  }

  of(color) {
    let path = this.paths.get(color);
    if (!path) this.paths.set(color, (path = new Path2D()));
    return path;
  }
}

/** Opacities of the parts of a trail, from the unit to the end, and the most points of a trail. */
const TRAIL = [0.55, 0.36, 0.2, 0.09];
const TRAIL_POINTS = 14;

/** The trails of all units as lines of one color and opacity each. */
class Trails {
  constructor(run) {
    this.run = run;
    this.parts = TRAIL.map(() => new Buckets());
  }

  /**
   * Adds the trail of a unit from a point of the canvas on. `place` returns the point of a sample, or null to interrupt
   * the line there.
   */
  add(track, poses, seconds, color, from, place) {
    const { run, parts } = this;
    const shown = run.times[1] - run.times[0] > 0 ? seconds / (run.times[1] - run.times[0]) : 1;
    const stride = Math.max(Math.ceil(shown / TRAIL_POINTS), 1);
    // Frames of fixed numbers: a trail that is sampled relative to the present would flicker.
    let { frame } = poses;
    let [last, path, lastPart] = [run.sample(track, frame), null, -1];
    for (let next = frame; next >= 0 && run.times[frame] > poses.time - seconds; next = frame - (frame % stride || stride)) {
      const sample = run.sample(track, next);
      if (sample < 0) return;
      const isWhole = next === frame || run.moves(track, sample, last, run.times[frame] - run.times[next]);
      const to = isWhole ? place(sample, from) : null;
      const part = Math.min(Math.floor(((poses.time - run.times[next]) / seconds) * TRAIL.length), TRAIL.length - 1);
      if (!to) path = null;
      else if (from) {
        if (!path || part !== lastPart) (path = parts[part].of(color)).moveTo(from[0], from[1]);
        path.lineTo(to[0], to[1]);
      }
      [from, last, frame, lastPart] = [to ?? place(sample, null), sample, next, part];
    }
  }

  stroke(context, wanted) {
    context.lineJoin = "bevel";
    // Without a graphics processor, lines of one pixel are drawn several times faster than wider ones.
    const width = wanted < 2.4 ? 1 : wanted;
    this.parts.forEach((buckets, part) => {
      context.globalAlpha = TRAIL[part];
      context.lineWidth = Math.max(width * (1 - 0.2 * part), 1);
      for (const [color, path] of buckets.paths) {
        context.strokeStyle = color;
        context.stroke(path);
      }
    });
    context.globalAlpha = 1;
  }
}

