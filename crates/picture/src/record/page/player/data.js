// The data of the page: a head in JSON, then columns of residuals. See `columns.rs` and `tracks.rs`.

const TURN = 2 * Math.PI;

/** Reads the recorded run from the page. */
async function readRun(text) {
  const coded = atob(text.trim());
  const bytes = new Uint8Array(coded.length);
  for (let at = 0; at < coded.length; at++) bytes[at] = coded.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Run(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** Reads columns one after the other. */
class Columns {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(count) {
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  /** Series of 16-bit numbers; a linear prediction continues the last difference. */
  words(lengths, isLinear) {
    const count = lengths.reduce((sum, length) => sum + length, 0);
    const [low, high, values] = [this.take(count), this.take(count), new Uint16Array(count)];
    let at = 0;
    for (const length of lengths) {
      let [last, difference] = [0, 0];
      for (let index = 0; index < length; index++, at++) {
        const coded = low[at] | (high[at] << 8);
        const value = (last + difference + ((coded >> 1) ^ -(coded & 1))) & 0xffff;
        if (index > 0 && isLinear) difference = value - last;
        values[at] = last = value;
      }
    }
    return values;
  }

  /** Series of bytes. */
  bytesOf(lengths) {
    const values = this.take(lengths.reduce((sum, length) => sum + length, 0)).slice();
    let at = 0;
    for (const length of lengths) {
      let last = 0;
      for (let index = 0; index < length; index++, at++) {
        values[at] = last = (last + ((values[at] >> 1) ^ -(values[at] & 1))) & 0xff;
      }
    }
    return values;
  }
}

/** A recorded run. Positions of a track are those of a unit from its first frame on, without gaps. */
class Run {
  constructor(bytes) {
    const length = new DataView(bytes.buffer).getUint32(0, true);
    Object.assign(this, JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))));
    const columns = new Columns(bytes.subarray(4 + length));
    const lengths = this.tracks.length;
    this.axes = (this.plane ? [0, 1] : [0, 1, 2]).map(() => columns.words(lengths, true));
    this.course = columns.bytesOf(lengths);
    this.pitch = this.plane ? null : columns.bytesOf(lengths);
    this.tint = columns.bytesOf(lengths);
    this.frames = this.times.length;
    for (const figure of this.figures) {
      const values = columns.words(this.groups.map(() => this.frames), false);
      figure.series = figure.scales.map(({ origin, quantum }, group) => {
        const part = values.subarray(group * this.frames, (group + 1) * this.frames);
        return Float32Array.from(part, (value) => (value === 65535 ? NaN : origin + quantum * value));
      });
    }
    for (const picture of this.grids) {
      picture.cells = picture.sizes.map(([width, height]) => columns.bytesOf([width * height]));
    }
    let offset = 0;
    this.offsets = lengths.map((count) => (offset += count) - count);
  }

  /** The number of tracks. */
  get size() {
    return this.offsets.length;
  }

  get duration() {
    return this.times[this.frames - 1] - this.times[0];
  }

  /** The frame at or before a time, and the share of the way to the next one. */
  at(time) {
    let [low, high] = [0, this.frames - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    const next = this.times[low + 1];
    const share = next > this.times[low] ? (time - this.times[low]) / (next - this.times[low]) : 0;
    return [low, clamp(share, 0, 1)];
  }

  /** Length and width of a unit, world units. */
  sizeOf(track) {
    const group = this.groups[this.tracks.group[track]];
    const [length, width] = this.tracks.size?.[track] ?? [1, 1];
    return [group.length * length, group.width * width];
  }

  /** The scenery of a frame. */
  sceneryAt(frame) {
    return this.scenery.findLast((change) => change.frame <= frame) ?? this.scenery[0];
  }

  /** The environment grids of a frame, if there are any. */
  gridsAt(frame) {
    return this.grids.findLast((picture) => picture.frame <= frame);
  }

  /** The index of a track's sample in the columns, or -1 if the unit is absent from the frame. */
  sample(track, frame) {
    const at = frame - this.tracks.first[track];
    return at >= 0 && at < this.tracks.length[track] ? this.offsets[track] + at : -1;
  }

  /** The way along an axis between two samples, in quanta; in a periodic world the shortest one. */
  way(axis, from, to) {
    const way = this.axes[axis][to] - this.axes[axis][from];
    return this.periodic && axis < 2 ? (way << 16) >> 16 : way;
  }

  /** The position of a sample along an axis. */
  place(axis, sample) {
    return this.scales[axis].origin + this.scales[axis].quantum * this.axes[axis][sample];
  }

  /** True if a unit moved between two samples, and was not put somewhere else. */
  moves(track, from, to, seconds) {
    const group = this.groups[this.tracks.group[track]];
    if (group.reach === null) return true;
    let square = 0;
    for (let axis = 0; axis < this.axes.length; axis++) {
      square += (this.way(axis, from, to) * this.scales[axis].quantum) ** 2;
    }
    return square <= (group.reach * seconds + group.length) ** 2;
  }

  /** Stores the pose of a unit at a time in `poses`, at an index; returns false if the unit is absent. */
  pose(track, frame, share, poses, index) {
    const sample = this.sample(track, frame);
    if (sample < 0) return false;
    const first = this.offsets[track];
    const last = first + this.tracks.length[track] - 1;
    const seconds = this.times[frame + 1] - this.times[frame];
    const isBetween = share > 0 && sample < last && this.moves(track, sample, sample + 1, seconds);
    const [before, after] = [sample > first, sample + 1 < last];
    const smoothBefore = isBetween && before && this.moves(track, sample - 1, sample, seconds);
    const smoothAfter = isBetween && after && this.moves(track, sample + 1, sample + 2, seconds);
    for (let axis = 0; axis < this.axes.length; axis++) {
      let offset = 0;
      if (isBetween) {
        const way = this.way(axis, sample, sample + 1);
        const start = smoothBefore ? (this.way(axis, sample - 1, sample) + way) / 2 : way;
        const end = smoothAfter ? (way + this.way(axis, sample + 1, sample + 2)) / 2 : way;
        offset = hermite(share, way, start, end) * this.scales[axis].quantum;
      }
      let place = this.place(axis, sample) + offset;
      if (this.periodic && axis < 2) {
        const period = this.scales[axis].quantum * 65536;
        place -= Math.floor(place / period) * period;
      }
      poses.position[3 * index + axis] = place;
    }
    const turn = isBetween ? ((this.course[sample + 1] - this.course[sample]) << 24) >> 24 : 0;
    const course = ((this.course[sample] + turn * share) / 256) * TURN;
    if (this.plane) {
      poses.heading[3 * index] = Math.cos(course);
      poses.heading[3 * index + 1] = Math.sin(course);
    } else {
      const rise = isBetween ? this.pitch[sample + 1] - this.pitch[sample] : 0;
      const pitch = ((this.pitch[sample] + rise * share) / 255 - 0.5) * Math.PI;
      poses.heading[3 * index] = Math.cos(pitch) * Math.sin(course);
      poses.heading[3 * index + 1] = Math.sin(pitch);
      poses.heading[3 * index + 2] = -Math.cos(pitch) * Math.cos(course);
    }
    poses.tint[index] = this.tint[sample];
    return true;
  }

  /** Stores all units of a time in `poses`. */
  poses(time, poses) {
    const [frame, share] = this.at(time);
    poses.count = 0;
    for (let track = 0; track < this.size; track++) {
      if (this.pose(track, frame, share, poses, poses.count)) poses.track[poses.count++] = track;
    }
    [poses.frame, poses.share, poses.time] = [frame, share, time];
  }

  /** Speed of a unit in a frame: from the frame before to the frame after it, as far as it is present. */
  speedOf(track, frame) {
    const frames = [frame - 1, frame, frame + 1].filter((at) => this.sample(track, at) >= 0);
    const samples = frames.map((at) => this.sample(track, at));
    const seconds = this.times[frames.at(-1)] - this.times[frames[0]];
    const along = (_, axis) => {
      const ways = samples.slice(1).map((to, at) => this.way(axis, samples[at], to));
      return ways.reduce((sum, way) => sum + way, 0) * this.scales[axis].quantum;
    };
    return seconds > 0 ? Math.hypot(...this.axes.map(along)) / seconds : 0;
  }
}

/** Buffers for the poses of all units at one time. */
function makePoses(size) {
  return {
    count: 0,
    track: new Uint32Array(size),
    position: new Float32Array(3 * size),
    heading: new Float32Array(3 * size),
    tint: new Uint8Array(size),
    /** Positions on the canvas, for the pointer. */
    screen: new Float32Array(2 * size),
  };
}

/** The offset at a share of a way that starts and ends with these differences. */
function hermite(share, way, start, end) {
  const [square, rest] = [share * share, 1 - share];
  return share * rest * rest * start + square * (3 - 2 * share) * way - square * rest * end;
}

