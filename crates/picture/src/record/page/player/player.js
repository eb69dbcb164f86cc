// The player: the clock, the controls, the keys and the pointer.

const RATES = [0.125, 0.25, 0.5, 1, 2, 4, 8];
const ICONS = {
  play: "M3 1.5v13l11-6.5z",
  pause: "M3 2h3.5v12H3zM9.5 2H13v12H9.5z",
  back: "M2 2h2.5v12H2zM14 2v12L5.5 8z",
  ahead: "M11.5 2H14v12h-2.5zM2 2l8.5 6L2 14z",
};

const byId = (id) => document.getElementById(id);

class Player {
  constructor(run) {
    this.run = run;
    this.poses = makePoses(run.size);
    this.picture = run.plane ? new PlanePicture(run) : new SpacePicture(run);
    this.canvas = byId("canvas");
    this.canvas.classList.toggle("space", !run.plane);
    this.context = this.canvas.getContext("2d", { alpha: false });
    this.view = { colors: null, theme: "", selected: null, hovered: null, trails: true };
    this.time = run.times[0];
    this.rate = 1;
    this.isPlaying = false;
    this.draws = 0;
    this.plots = new Plots(run, byId("plots"), (time) => this.seek(time));
    byId("scrub").max = run.frames - 1;
    this.connect();
    this.pointer();
    this.paint();
    for (const control of document.querySelectorAll("#controls :disabled")) control.disabled = false;
    byId("message").hidden = true;
    new ResizeObserver(() => this.resize()).observe(this.canvas);
    this.resize();
  }

  // The clock.

  play(isPlaying) {
    this.isPlaying = isPlaying;
    if (isPlaying && this.time >= this.run.times[this.run.frames - 1]) this.time = this.run.times[0];
    setIcon(byId("play"), isPlaying ? "pause" : "play");
    byId("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    this.last = null;
    this.request();
  }

  /** Shows a time, limited to the recording. */
  seek(time) {
    this.time = clamp(time, this.run.times[0], this.run.times[this.run.frames - 1]);
    this.request();
  }

  /** Shows the frame that is this many frames from the present one. */
  step(count) {
    this.play(false);
    const [frame, share] = this.run.at(this.time);
    const next = frame + (count < 0 && share > 0 ? count + 1 : count);
    this.seek(this.run.times[clamp(next, 0, this.run.frames - 1)]);
  }

  setRate(rate) {
    this.rate = rate;
    byId("rate").value = String(rate);
  }

  /** Draws in the next frame of the screen. */
  request() {
    this.requested ??= requestAnimationFrame((now) => this.frame(now));
  }

  frame(now) {
    this.requested = null;
    if (this.isPlaying) {
      // A hidden page gets no frames; the time that it was hidden does not count.
      const seconds = this.last === null ? 0 : Math.min((now - this.last) / 1000, 0.25);
      this.last = now;
      this.time += seconds * this.run.speed * this.rate;
      const end = this.run.times[this.run.frames - 1];
      if (this.time >= end) {
        this.time = end;
        this.play(false);
      } else {
        this.request();
      }
    }
    this.draw();
  }

  draw() {
    const { run, poses } = this;
    run.poses(this.time, poses);
    this.picture.draw(this.context, poses, this.view);
    this.draws++;
    byId("scrub").value = poses.frame;
    const text = `${this.time.toFixed(1)} s · step ${run.steps[poses.frame]}`;
    setText(byId("time"), text);
    byId("scrub").setAttribute("aria-valuetext", text);
    this.plots.show(poses.frame, this.time);
    this.showLegend();
    this.showUnit();
  }

  // The picture.

  resize() {
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight].map((size) =>
      Math.max(Math.round(size * pixelRatio()), 1),
    );
    if (this.canvas.width !== width || this.canvas.height !== height) {
      [this.canvas.width, this.canvas.height] = [width, height];
    }
    this.request();
  }

  /** Reads the colors of the theme. */
  paint() {
    const chosen = document.documentElement.dataset.theme;
    const isLight = chosen ? chosen === "light" : matchMedia("(prefers-color-scheme: light)").matches;
    this.view.theme = isLight ? "light" : "dark";
    this.view.colors = new Colors(this.run);
    setText(byId("theme"), isLight ? "Dark" : "Light");
    this.request();
  }

  toggleTheme() {
    document.documentElement.dataset.theme = this.view.theme === "light" ? "dark" : "light";
    this.paint();
  }

  toggleTrails(isOn) {
    this.view.trails = byId("trails").checked = isOn;
    this.request();
  }

  fit() {
    this.picture.camera.fit();
    this.request();
  }

  zoom(factor, x = this.canvas.width / 2, y = this.canvas.height / 2) {
    this.picture.camera.zoomAt(factor, x, y);
    this.request();
  }

  showLegend() {
    const counts = this.run.groups.map(() => 0);
    for (let unit = 0; unit < this.poses.count; unit++) counts[this.run.tracks.group[this.poses.track[unit]]]++;
    if (!this.legend) this.makeLegend();
    this.legend.forEach((count, group) => setText(count, String(counts[group])));
  }

  makeLegend() {
    const entry = (color, name, ...more) => {
      const dot = element("i");
      dot.style.background = color;
      const item = element("li");
      item.append(dot, name, ...more);
      byId("legend").append(item);
    };
    const known = new Set();
    this.legend = this.run.groups.map((group, at) => {
      const count = element("b");
      entry(`var(--group-${at})`, group.name, count);
      group.marks.forEach((mark, place) => {
        if (!known.has(mark)) entry(`var(--mark-${at}-${place})`, mark);
        known.add(mark);
      });
      return count;
    });
    const value = this.run.groups.find((group) => group.value)?.value;
    if (!value) return;
    const [name, [from, to]] = value;
    const ramp = element("i", { className: "scale" });
    const stops = [0, 1, 2, 3, 4, 5].map((at) => `var(--scale-${at})`);
    ramp.style.background = `linear-gradient(90deg, ${stops.join()})`;
    const item = element("li");
    item.append(`${name}: ${from}`, ramp, to);
    byId("legend").append(item);
  }

  // The selected unit.

  select(track) {
    this.view.selected = track;
    this.request();
  }

  /** Selects the next or the previous unit of the present frame. */
  selectNext(step) {
    const present = [...this.poses.track.subarray(0, this.poses.count)];
    if (!present.length) return;
    const at = present.indexOf(this.view.selected);
    const next = at < 0 ? (step > 0 ? 0 : present.length - 1) : (at + step + present.length) % present.length;
    this.select(present[next]);
  }

  /** The track nearest to a pixel of the canvas, if it is near. */
  nearest(x, y) {
    let [best, least] = [null, (16 * pixelRatio()) ** 2];
    for (let unit = 0; unit < this.poses.count; unit++) {
      const square = (this.poses.screen[2 * unit] - x) ** 2 + (this.poses.screen[2 * unit + 1] - y) ** 2;
      if (square < least) [best, least] = [this.poses.track[unit], square];
    }
    return best;
  }

  /** The values of the hovered unit, or else of the selected one, beside it. */
  showUnit() {
    const track = this.view.hovered ?? this.view.selected;
    const present = this.poses.track.subarray(0, this.poses.count);
    const unit = track === null ? -1 : present.indexOf(track);
    const box = byId("unit");
    box.hidden = unit < 0;
    if (unit < 0) return;
    const rows = this.facts(track, unit);
    while (box.children.length < rows.length) {
      const row = element("div");
      row.append(element("dt"), element("dd"));
      box.append(row);
    }
    [...box.children].forEach((row, at) => {
      row.hidden = at >= rows.length;
      if (!row.hidden) rows[at].forEach((text, place) => setText(row.children[place], text));
    });
    const [x, y] = [0, 1].map((axis) => this.poses.screen[2 * unit + axis] / pixelRatio());
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    const left = x + 18 + box.offsetWidth < width ? x + 18 : x - 18 - box.offsetWidth;
    const top = clamp(y - box.offsetHeight / 2, 4, Math.max(height - box.offsetHeight - 4, 4));
    box.style.transform = `translate(${clamp(left || 0, 4, Math.max(width - box.offsetWidth - 4, 4))}px, ${top || 0}px)`;
  }

  facts(track, unit) {
    const { run, poses } = this;
    const group = run.groups[run.tracks.group[track]];
    const axes = run.axes.map((_, axis) => rounded(poses.position[3 * unit + axis]));
    const [x, y, z] = poses.heading.subarray(3 * unit, 3 * unit + 3);
    const degrees = (angle) => `${Math.round((angle * 360) / TURN)}°`;
    const rows = [
      [group.name, `unit ${run.tracks.unit[track]}`],
      ["position", `(${axes.join(", ")})`],
      ["speed", rounded(run.speedOf(track, poses.frame))],
      run.plane ? ["heading", degrees((Math.atan2(y, x) + TURN) % TURN)] : ["climb", degrees(Math.asin(clamp(y, -1, 1)))],
    ];
    const tint = poses.tint[unit];
    if (tint >= 128 && group.value) rows.push([group.value[0], `${Math.round(((tint - 128) / 127) * 100)} %`]);
    else if (tint > 0 && tint < 128) rows.push(["mark", group.marks[tint - 1] ?? ""]);
    return rows;
  }

  // Input.

  connect() {
    const on = (id, event, act) => byId(id).addEventListener(event, act);
    for (const id of ["play", "back", "ahead"]) setIcon(byId(id), id);
    on("play", "click", () => this.play(!this.isPlaying));
    on("back", "click", () => this.step(-1));
    on("ahead", "click", () => this.step(1));
    on("scrub", "input", () => this.seek(this.run.times[byId("scrub").valueAsNumber]));
    on("rate", "change", () => this.setRate(Number(byId("rate").value)));
    on("trails", "change", () => this.toggleTrails(byId("trails").checked));
    on("fit", "click", () => this.fit());
    on("theme", "click", () => this.toggleTheme());
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => this.paint());
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || this.isUsed(event)) return;
      const act = this.keys[event.key] ?? this.keys[event.key.toLowerCase()];
      const move = event.target === this.canvas && { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
      if (!act && !move) return;
      event.preventDefault();
      if (act) act();
      else this.drag(...move.map((way) => way * 40 * pixelRatio()));
    });
  }

  /** True if the focused control uses a key itself. */
  isUsed({ target, key }) {
    if (target.matches("select")) return true;
    if (target.matches("input[type=range]")) return key === "Home" || key === "End";
    return (key === " " || key === "Enter") && target.matches("button, input, summary");
  }

  get keys() {
    const rate = (step) => () => this.setRate(RATES[clamp(RATES.indexOf(this.rate) + step, 0, RATES.length - 1)]);
    const end = () => this.seek(this.run.times[this.run.frames - 1]);
    return {
      " ": () => this.play(!this.isPlaying),
      ",": () => this.step(-1),
      ".": () => this.step(1),
      Home: () => this.seek(this.run.times[0]),
      End: end,
      "[": rate(-1),
      "]": rate(1),
      "+": () => this.zoom(1.25),
      "=": () => this.zoom(1.25),
      "-": () => this.zoom(0.8),
      0: () => this.fit(),
      n: () => this.selectNext(1),
      p: () => this.selectNext(-1),
      Escape: () => this.select(null),
      t: () => this.toggleTrails(!this.view.trails),
      d: () => this.toggleTheme(),
    };
  }

  drag(x, y) {
    this.picture.camera.drag(x, y);
    this.request();
  }

  /** Drags with one pointer, zooms with two, and selects with a click. */
  pointer() {
    const { canvas } = this;
    const down = new Map();
    let moved = 0;
    const place = (event) => {
      const bounds = canvas.getBoundingClientRect();
      return [event.clientX - bounds.left, event.clientY - bounds.top].map((part) => part * pixelRatio());
    };
    const spread = () => {
      const [a, b] = [...down.values()];
      return [Math.hypot(a[0] - b[0], a[1] - b[1]), (a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      down.set(event.pointerId, place(event));
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const [x, y] = place(event);
      const known = down.get(event.pointerId);
      if (!known) {
        this.view.hovered = this.nearest(x, y);
        this.request();
        return;
      }
      const before = down.size === 2 ? spread() : null;
      down.set(event.pointerId, [x, y]);
      moved += Math.hypot(x - known[0], y - known[1]);
      if (before) {
        const [distance, middleX, middleY] = spread();
        this.zoom(distance / Math.max(before[0], 1), middleX, middleY);
      } else if (moved > 4 * pixelRatio()) {
        this.drag(x - known[0], y - known[1]);
      }
    });
    const up = (event) => {
      if (down.delete(event.pointerId) && event.type === "pointerup" && moved <= 4 * pixelRatio()) {
        this.select(this.nearest(...place(event)));
      }
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => {
      this.view.hovered = null;
      this.request();
    });
    canvas.addEventListener("dblclick", () => this.fit());
    const wheel = (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-clamp(event.deltaY, -200, 200) / 400), ...place(event));
    };
    canvas.addEventListener("wheel", wheel, { passive: false });
  }
}

/** Shows an icon in a button. */
function setIcon(button, name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  button.replaceChildren(svg);
}

try {
  const player = new Player(await readRun(byId("data").textContent));
  // For scripts of tests and of pages that embed this one.
  globalThis.steerbox = player;
  player.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
} catch (error) {
  byId("message").textContent = `The recording cannot be shown: ${error.message}`;
  throw error;
}
