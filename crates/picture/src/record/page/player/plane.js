// The picture of a plane: scenery on a canvas of its own, trails, units.

class PlanePicture {
  constructor(run) {
    this.run = run;
    this.camera = new PlaneCamera();
    this.behind = document.createElement("canvas");
  }

  /** Draws a time; `view` holds the colors, the selected and the hovered track, and a switch for trails. */
  draw(context, poses, view) {
    const scenery = this.run.sceneryAt(poses.frame);
    const { camera } = this;
    camera.frame(context.canvas.width, context.canvas.height, scenery);
    const grids = this.run.gridsAt(poses.frame);
    const key = [camera.key, view.theme, this.run.scenery.indexOf(scenery), grids?.frame].join();
    if (key !== this.key) this.drawBehind(scenery, grids, view.colors);
    this.key = key;
    context.drawImage(this.behind, 0, 0);
    this.locate(poses);
    if (view.trails) this.drawTrails(context, poses, view.colors, scenery);
    this.drawUnits(context, poses, view.colors, scenery);
    for (const [track, width] of [[view.hovered, 1.2], [view.selected, 2]]) this.drawRing(context, poses, view, track, width);
  }

  locate(poses) {
    for (let unit = 0; unit < poses.count; unit++) {
      poses.screen[2 * unit] = this.camera.x(poses.position[3 * unit]);
      poses.screen[2 * unit + 1] = this.camera.y(poses.position[3 * unit + 1]);
    }
  }

  /** A function of a track: length and width of its unit in pixels, visible, and so short that units of a crowd are distinct. */
  sizes(poses, scenery) {
    const room = Math.sqrt((scenery.extent[0] * scenery.extent[1]) / Math.max(poses.count, 1)) * this.camera.scale;
    const least = clamp(room * 0.35, 2 * pixelRatio(), 9 * pixelRatio());
    return (track) => {
      const [length, width] = this.run.sizeOf(track);
      const scale = this.camera.scale * Math.max(least / (length * this.camera.scale), 1);
      return [length * scale, Math.max(width * scale, least * 0.4)];
    };
  }

  drawUnits(context, poses, colors, scenery) {
    const sizeOf = this.sizes(poses, scenery);
    const buckets = new Buckets();
    let isOutlined = true;
    for (let unit = 0; unit < poses.count; unit++) {
      const at = this.run.tracks.group[poses.track[unit]];
      const [length, width] = sizeOf(poses.track[unit]);
      isOutlined &&= length >= 6 * pixelRatio();
      const path = buckets.of(colors.unit(at, poses.tint[unit]));
      const [headingX, headingY] = [poses.heading[3 * unit], -poses.heading[3 * unit + 1]];
      for (const [shiftX, shiftY] of this.images(poses, unit, Math.max(length, width) / 2, scenery)) {
        const [x, y] = [poses.screen[2 * unit] + shiftX, poses.screen[2 * unit + 1] - shiftY];
        if (x < -length || y < -length || x > this.camera.width + length || y > this.camera.height + length) continue;
        addUnit(path, this.run.groups[at].outline, x, y, headingX, headingY, length, width);
      }
    }
    [context.lineWidth, context.strokeStyle] = [pixelRatio(), colors.of("outline")];
    for (const [color, path] of buckets.paths) {
      // In a crowd, outlines would cover the units that they separate.
      if (isOutlined) context.stroke(path);
      context.fillStyle = color;
      context.fill(path);
    }
  }

  /** The shifts in pixels at which a unit is drawn: in a seamless world also across the edges that it touches. */
  images(poses, unit, reach, scenery) {
    const { scale } = this.camera;
    const along = (axis) => {
      const [place, size] = [poses.position[3 * unit + axis] * scale, scenery.extent[axis] * scale];
      if (!scenery.seamless) return [0];
      return [0, ...(place < reach ? [size] : []), ...(place > size - reach ? [-size] : [])];
    };
    const [horizontal, vertical] = [along(0), along(1)];
    return horizontal.flatMap((x) => vertical.map((y) => [x, y]));
  }

  drawTrails(context, poses, colors, scenery) {
    const { run, camera } = this;
    const trails = new Trails(run);
    const half = scenery.extent.map((size) => (size / 2) * camera.scale);
    const place = (sample, from) => {
      const to = [camera.x(run.place(0, sample)), camera.y(run.place(1, sample))];
      // A line across the edge would cross the world.
      const isNear = !from || (Math.abs(to[0] - from[0]) < half[0] && Math.abs(to[1] - from[1]) < half[1]);
      return isNear || !run.periodic ? to : null;
    };
    for (let unit = 0; unit < poses.count; unit++) {
      const group = run.tracks.group[poses.track[unit]];
      const { trail } = run.groups[group];
      const from = [poses.screen[2 * unit], poses.screen[2 * unit + 1]];
      if (trail > 0) trails.add(poses.track[unit], poses, trail, colors.unit(group, poses.tint[unit]), from, place);
    }
    const width = Math.max(...run.groups.map((group) => group.width)) * camera.scale * 0.4;
    trails.stroke(context, clamp(width, 1.2 * pixelRatio(), 4 * pixelRatio()));
  }

  drawRing(context, poses, view, track, width) {
    const unit = track === null ? -1 : poses.track.subarray(0, poses.count).indexOf(track);
    if (unit < 0) return;
    const radius = Math.max(this.run.sizeOf(track)[0] * this.camera.scale * 0.75, 9 * pixelRatio());
    [context.lineWidth, context.strokeStyle] = [width * pixelRatio(), view.colors.of("selection")];
    context.beginPath();
    context.arc(poses.screen[2 * unit], poses.screen[2 * unit + 1], radius, 0, TURN);
    context.stroke();
  }

  drawBehind(scenery, grids, colors) {
    const { camera } = this;
    const context = filled(this.behind, camera, colors.of("ground-0"), colors.of("ground-1"));
    if (this.run.look.grid) this.drawGrid(context, colors);
    if (grids) this.drawCells(context, grids, scenery.extent, colors);
    [context.lineJoin, context.lineCap] = ["round", "round"];
    for (const field of scenery.fields) this.drawField(context, field, colors);
    for (const path of scenery.paths) this.drawPath(context, path, colors);
    context.strokeStyle = colors.of("border");
    context.globalAlpha = scenery.wraps ? 0.4 : 1;
    context.lineWidth = 1.2 * pixelRatio();
    const [width, height] = scenery.extent;
    if (this.run.look.frame) context.strokeRect(camera.x(0), camera.y(height), width * camera.scale, height * camera.scale);
    context.globalAlpha = 1;
    context.lineWidth = 1.5 * pixelRatio();
    for (const [shapes, name] of [[scenery.zones, "zone"], [scenery.obstacles, "obstacle"]]) {
      [context.fillStyle, context.strokeStyle] = [colors.of(`${name}-0`), colors.of(`${name}-1`)];
      for (const shape of shapes) {
        const path = this.outline(shape);
        if (shape.inside_out) path.rect(0, 0, camera.width, camera.height);
        context.fill(path, shape.inside_out ? "evenodd" : "nonzero");
        context.stroke(path);
      }
    }
  }

  outline({ round, faces }) {
    const { camera } = this;
    const path = new Path2D();
    if (round) {
      const [from, to, radius] = round;
      const angle = Math.atan2(from[1] - to[1], to[0] - from[0]);
      const [r, quarter] = [radius * camera.scale, TURN / 4];
      path.arc(camera.x(to[0]), camera.y(to[1]), r, angle - quarter, angle + quarter);
      path.arc(camera.x(from[0]), camera.y(from[1]), r, angle + quarter, angle + 3 * quarter);
    } else {
      faces[0].forEach(([x, y]) => path.lineTo(camera.x(x), camera.y(y)));
    }
    path.closePath();
    return path;
  }

  drawPath(context, { points, radius }, colors) {
    const line = new Path2D();
    points.forEach(([x, y]) => line.lineTo(this.camera.x(x), this.camera.y(y)));
    const [width, ratio] = [2 * radius * this.camera.scale, pixelRatio()];
    const layers = [[width + 3 * ratio, "path-1", []], [width, "path-0", []], [1.4 * ratio, "path-2", [14 * ratio, 14 * ratio]]];
    for (const [lineWidth, color, dash] of layers) {
      Object.assign(context, { lineWidth, strokeStyle: colors.of(color) });
      context.setLineDash(dash);
      context.stroke(line);
    }
    context.setLineDash([]);
  }

  /** Arrows of a flow field, in the color of the group that follows it. */
  drawField(context, { group, arrows }, colors) {
    const length = (this.camera.size[0] / Math.sqrt(arrows.length || 1)) * 0.3 * this.camera.scale;
    const lines = new Path2D();
    for (const [x, y, ahead, up] of arrows) {
      const [px, py] = [this.camera.x(x), this.camera.y(y)];
      const at = (along, across) => [px + (ahead * along + up * across) * length, py - (up * along - ahead * across) * length];
      lines.moveTo(...at(-0.7, 0));
      lines.lineTo(...at(0.7, 0));
      lines.moveTo(...at(0.35, 0.22));
      lines.lineTo(...at(0.7, 0));
      lines.lineTo(...at(0.35, -0.22));
    }
    context.strokeStyle = colors.of(`group-${this.run.groups.findIndex(({ name }) => name === group)}`);
    [context.globalAlpha, context.lineWidth] = [0.3, 1.2 * pixelRatio()];
    context.stroke(lines);
    context.globalAlpha = 1;
  }

  /** The cells of environment grids: a value is an opacity. */
  drawCells(context, { sizes, cells }, extent, colors) {
    const { camera } = this;
    sizes.forEach(([width, height], grid) => {
      const [image, color] = [new ImageData(width, height), rgb(colors.of(`cell-${grid % 4}`))];
      cells[grid].forEach((value, at) => {
        const row = height - 1 - Math.floor(at / width);
        image.data.set([...color, value], 4 * (row * width + (at % width)));
      });
      const canvas = Object.assign(document.createElement("canvas"), { width, height });
      canvas.getContext("2d").putImageData(image, 0, 0);
      const [right, top] = extent.map((side) => side * camera.scale);
      context.drawImage(canvas, camera.x(0), camera.y(extent[1]), right, top);
    });
  }

  /** Lines at round distances in world units, every fifth one stronger. */
  drawGrid(context, colors) {
    const { camera } = this;
    let step = 10 ** Math.floor(Math.log10((32 * pixelRatio()) / camera.scale));
    const isPower = () => Math.abs(Math.log10(step) - Math.round(Math.log10(step))) < 1e-3;
    while (step * camera.scale < 32 * pixelRatio()) step *= isPower() ? 5 : 2;
    const left = camera.size[0] * (0.5 + camera.shift[0]) - camera.width / 2 / camera.scale;
    const bottom = camera.size[1] * (0.5 + camera.shift[1]) - camera.height / 2 / camera.scale;
    const line = (index) => (context.fillStyle = colors.of(index % 5 ? "grid-0" : "grid-1"));
    for (let at = Math.ceil(left / step); at * step < left + camera.width / camera.scale; at++) {
      line(at);
      context.fillRect(Math.round(camera.x(at * step)), 0, 1, camera.height);
    }
    for (let at = Math.ceil(bottom / step); at * step < bottom + camera.height / camera.scale; at++) {
      line(at);
      context.fillRect(0, Math.round(camera.y(at * step)), camera.width, 1);
    }
  }
}

/** Resizes a canvas and fills it with a gradient. Returns its context. */
function filled(canvas, { width, height }, top, bottom) {
  [canvas.width, canvas.height] = [width, height];
  const context = canvas.getContext("2d");
  const gradient = context.createLinearGradient(0, 0, 0, height);
  gradient.addColorStop(0, top);
  gradient.addColorStop(1, bottom);
  context.fillStyle = gradient;
  context.fillRect(0, 0, width, height);
  return context;
}

