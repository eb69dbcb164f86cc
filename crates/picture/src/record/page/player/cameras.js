// Cameras: of a plane from straight above, of space on an orbit.

/** A view of a plane. */
class PlaneCamera {
  constructor() {
    this.size = [1, 1];
    this.fit();
  }

  fit() {
    this.zoom = 1;
    this.shift = [0, 0];
  }

  /** Adapts to a canvas, in pixels, and to the extent of the world. */
  frame(width, height, scenery) {
    [this.width, this.height, this.size] = [width, height, scenery.extent];
    this.scale = Math.min(width / this.size[0], height / this.size[1]) * 0.97 * this.zoom;
  }

  x(x) {
    return this.width / 2 + (x - this.size[0] * (0.5 + this.shift[0])) * this.scale;
  }

  y(y) {
    return this.height / 2 - (y - this.size[1] * (0.5 + this.shift[1])) * this.scale;
  }

  /** Moves the view by pixels. */
  drag(x, y) {
    this.shift[0] = clamp(this.shift[0] - x / this.scale / this.size[0], -0.6, 0.6);
    this.shift[1] = clamp(this.shift[1] + y / this.scale / this.size[1], -0.6, 0.6);
  }

  /** Zooms about a pixel. */
  zoomAt(factor, x, y) {
    const zoom = clamp(this.zoom * factor, 0.5, 60);
    const change = zoom / this.zoom;
    this.drag((this.width / 2 - x) * (1 - 1 / change), (this.height / 2 - y) * (1 - 1 / change));
    this.zoom = zoom;
  }

  get key() {
    return [this.width, this.height, this.zoom, ...this.shift].join();
  }
}

/** An eye on an orbit around a space; +y is up. */
class SpaceCamera {
  constructor() {
    this.fit();
  }

  fit() {
    [this.yaw, this.pitch, this.zoom] = [0.6, -0.3, 1];
  }

  frame(width, height, scenery) {
    [this.width, this.height] = [width, height];
    [this.center, this.radius] = [scenery.extent.slice(0, 3), scenery.extent[3]];
    const halfView = 0.466;
    this.focal = Math.min(width, height) / 2 / halfView;
    const distance = this.radius * Math.sqrt(1 + 1 / halfView ** 2) * 1.02 * this.zoom;
    const [sin, cos] = [Math.sin(this.pitch), Math.cos(this.pitch)];
    this.forward = [cos * Math.sin(this.yaw), sin, -cos * Math.cos(this.yaw)];
    this.right = [Math.cos(this.yaw), 0, Math.sin(this.yaw)];
    this.up = cross(this.right, this.forward);
    this.eye = this.center.map((at, axis) => at - this.forward[axis] * distance);
    this.near = this.radius * 0.01;
    this.surface = Math.max(distance - this.radius, 0);
  }

  /** Projects a point: pixels, depth, and pixels per world unit; false behind the eye. */
  project(x, y, z, spot) {
    const [dx, dy, dz] = [x - this.eye[0], y - this.eye[1], z - this.eye[2]];
    const depth = dx * this.forward[0] + dy * this.forward[1] + dz * this.forward[2];
    if (!(depth > this.near)) return false;
    const scale = this.focal / depth;
    spot.x = this.width / 2 + (dx * this.right[0] + dz * this.right[2]) * scale;
    spot.y = this.height / 2 - (dx * this.up[0] + dy * this.up[1] + dz * this.up[2]) * scale;
    [spot.depth, spot.scale] = [depth, scale];
    return true;
  }

  /** The share of light from a depth that the water transmits. */
  clarity(depth) {
    return Math.exp(-Math.max(depth - this.surface, 0) / (1.7 * this.radius));
  }

  drag(x, y) {
    this.yaw = (this.yaw + (x / pixelRatio()) * 0.006) % TURN;
    this.pitch = clamp(this.pitch - (y / pixelRatio()) * 0.006, -1.35, 1.35);
  }

  zoomAt(factor) {
    this.zoom = clamp(this.zoom / factor, 0.08, 3);
  }

  get key() {
    return [this.width, this.height, this.yaw, this.pitch, this.zoom].join();
  }
}

function clamp(value, least, most) {
  return Math.min(Math.max(value, least), most);
}

function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Pixels of the canvas per point; more than two are not visible. */
function pixelRatio() {
  return Math.min(globalThis.devicePixelRatio || 1, 2);
}

