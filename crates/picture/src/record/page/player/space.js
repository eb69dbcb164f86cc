// The picture of space: a ball of water in perspective, drawn from far to near.

/** Height and radius of the floor, relative to the ball's radius. */
const FLOOR = -0.6;
const FLOOR_RADIUS = 0.8;

class SpacePicture {
  constructor(run) {
    this.run = run;
    this.camera = new SpaceCamera();
    this.behind = document.createElement("canvas");
    this.spots = Array.from({ length: run.size }, () => ({}));
  }

  draw(context, poses, view) {
    const scenery = this.run.sceneryAt(poses.frame);
    const { camera } = this;
    camera.frame(context.canvas.width, context.canvas.height, scenery);
    const key = [camera.key, view.theme, this.run.scenery.indexOf(scenery)].join();
    if (key !== this.key) this.drawBehind(scenery, view.colors);
    this.key = key;
    context.drawImage(this.behind, 0, 0);
    if (this.run.look.floor) this.drawShadows(context, poses, view.colors);
    this.locate(poses);
    if (view.trails) this.drawTrails(context, poses, view.colors);
    this.drawBodies(context, poses, scenery, view);
  }

  locate(poses) {
    for (let unit = 0; unit < poses.count; unit++) {
      const spot = this.spots[unit];
      spot.unit = unit;
      spot.isVisible = this.camera.project(...poses.position.subarray(3 * unit, 3 * unit + 3), spot);
      poses.screen[2 * unit] = spot.isVisible ? spot.x : NaN;
      poses.screen[2 * unit + 1] = spot.y;
    }
  }

  /** Units and obstacles, sorted by the depths of their centers. */
  drawBodies(context, poses, scenery, view) {
    const bodies = this.spots.slice(0, poses.count).filter((spot) => spot.isVisible);
    for (const obstacle of scenery.obstacles) {
      const center = middle(obstacle);
      const spot = { obstacle };
      if (this.camera.project(...center, spot)) bodies.push(spot);
    }
    bodies.sort((a, b) => b.depth - a.depth);
    for (const spot of bodies) {
      if (spot.obstacle) this.drawObstacle(context, spot, view.colors);
      else this.drawUnit(context, poses, spot, view);
    }
  }

  drawUnit(context, poses, spot, view) {
    const { run, camera } = this;
    const track = poses.track[spot.unit];
    const index = run.tracks.group[track];
    const group = run.groups[index];
    const heading = poses.heading.subarray(3 * spot.unit, 3 * spot.unit + 3);
    const across = dot(heading, camera.right);
    const rise = -dot(heading, camera.up);
    // A unit that points out of the picture stays visible.
    const seen = Math.max(Math.hypot(across, rise), 1e-6);
    const share = Math.max(seen, 0.4);
    const [unitLength, unitWidth] = run.sizeOf(track);
    const length = Math.max(unitLength * spot.scale, 3.6 * pixelRatio());
    const width = Math.max(unitWidth * spot.scale, length * 0.35);
    const color = view.colors.unit(index, poses.tint[spot.unit]);
    const water = view.colors.of("water-1");
    // Quantized, so that few colors are mixed.
    const fading = Math.round((1 - camera.clarity(spot.depth)) * 24) / 24;
    context.fillStyle = view.colors.into(color, water, fading);
    context.beginPath();
    addUnit(context, group.outline, spot.x, spot.y, (across / seen) * 1, (rise / seen) * 1, length * share, width);
    context.fill();
    if (track === view.selected || track === view.hovered) {
      context.strokeStyle = view.colors.of("selection");
      context.lineWidth = (track === view.selected ? 2 : 1.2) * pixelRatio();
      context.beginPath();
      context.arc(spot.x, spot.y, Math.max(length * 0.75, 9 * pixelRatio()), 0, TURN);
      context.stroke();
    }
  }

  drawTrails(context, poses, colors) {
    const { run, camera } = this;
    const trails = new Trails(run);
    const spot = {};
    const place = (sample) => {
      const isVisible = camera.project(run.place(0, sample), run.place(1, sample), run.place(2, sample), spot);
      return isVisible ? [spot.x, spot.y] : null;
    };
    for (let unit = 0; unit < poses.count; unit++) {
      const group = run.tracks.group[poses.track[unit]];
      const { trail } = run.groups[group];
      const { x, y, isVisible } = this.spots[unit];
      const color = colors.unit(group, poses.tint[unit]);
      if (trail > 0 && isVisible) trails.add(poses.track[unit], poses, trail, color, [x, y], place);
    }
    trails.stroke(context, 1.4 * pixelRatio());
  }

  /** A dot on the floor below each unit shows its place. */
  drawShadows(context, poses, colors) {
    const { camera, run } = this;
    const floor = camera.center[1] + FLOOR * camera.radius;
    const path = new Path2D();
    const spot = {};
    for (let unit = 0; unit < poses.count; unit++) {
      const [x, y, z] = poses.position.subarray(3 * unit, 3 * unit + 3);
      const height = (y - floor) / camera.radius;
      const aside = Math.hypot(x - camera.center[0], z - camera.center[2]);
      if (height < 0 || aside > FLOOR_RADIUS * camera.radius || !camera.project(x, floor, z, spot)) continue;
      const [length] = run.sizeOf(poses.track[unit]);
      const radius = Math.max(length * 0.22 * (1 + height) * spot.scale, pixelRatio());
      const flat = Math.max(Math.abs(camera.eye[1] - floor) / spot.depth, 0.1);
      path.moveTo(spot.x + radius, spot.y);
      path.ellipse(spot.x, spot.y, radius, radius * Math.min(flat, 1), 0, 0, TURN);
    }
    context.globalAlpha = 0.22;
    context.fillStyle = colors.of("shadow");
    context.fill(path);
    context.globalAlpha = 1;
  }

  drawObstacle(context, spot, colors) {
    const { round, faces, inside_out: isContainer } = spot.obstacle;
    const fading = 1 - this.camera.clarity(spot.depth);
    const shaded = (share) => {
      const lit = colors.into(colors.of("rock"), colors.of(share < 0 ? "shade-0" : "shade-1"), Math.abs(share) * 0.45);
      return colors.into(lit, colors.of("water-1"), fading);
    };
    context.globalAlpha = isContainer ? 0.12 : 1;
    if (round) this.drawRound(context, round, shaded);
    else this.drawFaces(context, faces, shaded);
    context.globalAlpha = 1;
  }

  /** A ball, or a capsule as balls side by side. */
  drawRound(context, [from, to, radius], shaded) {
    const length = Math.hypot(...from.map((at, axis) => to[axis] - at));
    const count = Math.min(Math.ceil(length / (radius * 0.25)), 60);
    const spot = {};
    for (let at = 0; at <= count; at++) {
      const share = count ? at / count : 0;
      if (!this.camera.project(...from.map((start, axis) => start + (to[axis] - start) * share), spot)) continue;
      const r = radius * spot.scale;
      const light = context.createRadialGradient(spot.x - r * 0.3, spot.y - r * 0.45, r * 0.1, spot.x, spot.y, r);
      light.addColorStop(0, shaded(0.8));
      light.addColorStop(0.55, shaded(0));
      light.addColorStop(1, shaded(-0.9));
      context.fillStyle = light;
      context.beginPath();
      context.arc(spot.x, spot.y, r, 0, TURN);
      context.fill();
    }
  }

  drawFaces(context, faces, shaded) {
    for (const face of faces) {
      const corners = face.map((point) => {
        const spot = {};
        return this.camera.project(...point, spot) ? spot : null;
      });
      if (corners.includes(null)) continue;
      const [a, b, c] = corners;
      // Counter-clockwise seen from outside; y is down on the canvas.
      if ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) >= 0) continue;
      const [p, q, r] = face;
      const normal = cross(q.map((at, axis) => at - p[axis]), r.map((at, axis) => at - q[axis]));
      const light = dot(normal, [0.3, 0.85, 0.4]) / Math.max(Math.hypot(...normal), 1e-9);
      context.fillStyle = shaded(light);
      context.beginPath();
      corners.forEach(({ x, y }) => context.lineTo(x, y));
      context.fill();
    }
  }

  drawBehind(scenery, colors) {
    const { camera } = this;
    const context = filled(this.behind, camera, colors.of("water-0"), colors.of("water-1"));
    if (this.run.look.floor) this.drawFloor(context, colors);
    if (this.run.look.ball) this.drawBall(context, colors);
    [context.strokeStyle, context.globalAlpha, context.lineWidth] = [colors.of("path-2"), 0.8, pixelRatio()];
    for (const { points } of scenery.paths) {
      this.drawLine(context, points);
    }
    context.globalAlpha = 1;
  }

  drawBall(context, colors) {
    [context.strokeStyle, context.lineWidth] = [colors.of("sphere"), pixelRatio()];
    for (const turn of [0, TURN / 6, TURN / 3]) {
      this.drawCircle(context, [0, 0, 0], [Math.cos(turn), 0, Math.sin(turn)], [0, 1, 0]);
    }
    for (const height of [0, 0.5]) {
      const radius = Math.sqrt(1 - height * height);
      this.drawCircle(context, [0, height, 0], [radius, 0, 0], [0, 0, radius]);
    }
  }

  /** The point of the ball at coordinates relative to its radius. */
  at(point) {
    return point.map((part, axis) => this.camera.center[axis] + part * this.camera.radius);
  }

  drawLine(context, points) {
    const spot = {};
    context.beginPath();
    for (const point of points) if (this.camera.project(...point, spot)) context.lineTo(spot.x, spot.y);
    context.stroke();
  }

  /** A circle by its middle and two radii; its far side is fainter. */
  drawCircle(context, center, a, b) {
    const count = 72;
    const on = (piece) => {
      const [sin, cos] = [Math.sin((piece / count) * TURN), Math.cos((piece / count) * TURN)];
      return center.map((at, axis) => at + a[axis] * cos + b[axis] * sin);
    };
    for (let piece = 0; piece < count; piece++) {
      const point = on(piece);
      const facing = dot(point, this.camera.forward);
      context.globalAlpha = clamp(0.1 - facing * 0.1, 0.05, 0.15);
      this.drawLine(context, [this.at(point), this.at(on(piece + 1))]);
    }
    context.globalAlpha = 1;
  }

  drawFloor(context, colors) {
    const rim = Array.from({ length: 73 }, (_, at) => {
      const angle = (at / 72) * TURN;
      return this.at([FLOOR_RADIUS * Math.cos(angle), FLOOR, FLOOR_RADIUS * Math.sin(angle)]);
    });
    [context.strokeStyle, context.fillStyle, context.lineWidth] = [colors.of("sphere"), colors.of("sphere"), pixelRatio()];
    context.globalAlpha = 0.1;
    this.drawLine(context, rim);
    context.globalAlpha = 0.055;
    context.fill();
    context.globalAlpha = 0.1;
    for (let line = -4; line <= 4; line++) {
      const along = (line / 5) * FLOOR_RADIUS;
      const half = Math.sqrt(FLOOR_RADIUS ** 2 - along ** 2);
      this.drawLine(context, [this.at([along, FLOOR, -half]), this.at([along, FLOOR, half])]);
      this.drawLine(context, [this.at([-half, FLOOR, along]), this.at([half, FLOOR, along])]);
    }
    context.globalAlpha = 1;
  }
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The center of an obstacle. */
function middle({ round, faces }) {
  const points = round ? round.slice(0, 2) : faces.flat();
  return [0, 1, 2].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
}

