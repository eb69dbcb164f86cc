// Plots of the groups' figures over the recording.

const SVG = "http://www.w3.org/2000/svg";

class Plots {
  /** Creates the plots; `seek` receives the time of a press. */
  constructor(run, parent, seek) {
    this.run = run;
    this.plots = run.figures.filter((figure) => isShown(run, figure)).map((figure) => this.plot(figure, parent, seek));
  }

  plot(figure, parent, seek) {
    const extreme = (best) => figure.series.reduce((found, values) => values.reduce(best, found), 0);
    const least = extreme((a, b) => (b < a ? b : a));
    const most = figure.max ?? Math.max(extreme((a, b) => (b > a ? b : a)), least + 1e-9);
    const box = element("section", { className: "plot", title: figure.about });
    const values = element("span");
    const area = element("div");
    const cursor = element("b");
    const head = element("header");
    head.append(element("h2", { textContent: figure.name }), values);
    const end = (value) => element("small", { textContent: rounded(value) });
    area.append(this.lines(figure, least, most), cursor, end(most), end(least));
    box.append(head, area);
    parent.append(box);
    const press = (event) => {
      if (!(event.buttons & 1) && event.type !== "pointerdown") return;
      const bounds = area.getBoundingClientRect();
      const share = clamp((event.clientX - bounds.left) / bounds.width, 0, 1);
      seek(this.run.times[0] + share * this.run.duration);
    };
    area.addEventListener("pointerdown", press);
    area.addEventListener("pointermove", press);
    const shown = this.run.groups.map((_, group) => {
      const span = element("span", { title: this.run.groups[group].name });
      span.style.color = `var(--text-${group})`;
      values.append(span);
      return span;
    });
    return { figure, shown, cursor };
  }

  lines(figure, least, most) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 1000 100");
    svg.setAttribute("preserveAspectRatio", "none");
    const line = (points, className) => {
      const shape = document.createElementNS(SVG, "path");
      const part = ([x, y]) => (y === y ? `L${x.toFixed(1)},${y.toFixed(1)}` : " ");
      // NaN is a gap.
      shape.setAttribute("d", points.map(part).join("").replace(/(^| )L/g, "$1M"));
      if (className) shape.setAttribute("class", className);
      svg.append(shape);
      return shape;
    };
    for (const y of [0, 50, 100]) line([[0, y], [1000, y]], "grid");
    figure.series.forEach((values, group) => {
      // More points than pixels are not visible.
      const every = Math.ceil(values.length / 1200);
      const points = [];
      for (let at = 0; at < values.length; at += every) {
        points.push([1000 * this.share(this.run.times[at]), (100 * (most - values[at])) / (most - least)]);
      }
      line(points).style.stroke = `var(--group-${group})`;
    });
    return svg;
  }

  share(time) {
    return (time - this.run.times[0]) / (this.run.duration || 1);
  }

  /** Shows the values of a frame. */
  show(frame, time) {
    for (const { figure, shown, cursor } of this.plots) {
      cursor.style.left = `${100 * this.share(time)}%`;
      shown.forEach((span, group) => setText(span, rounded(figure.series[group][frame])));
    }
  }
}

/** False for a figure that is constantly zero, and for counts that never change: the legend shows them. */
function isShown(run, { name, series }) {
  const isConstant = series.every((values) => values.every((value) => Object.is(value, values[0])));
  return !isConstant || (name !== "count" && series.some((values) => values[0]));
}

function element(name, properties = {}) {
  return Object.assign(document.createElement(name), properties);
}

/** Writes a text if it differs: most frames change few. */
function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}

/** A number with about three digits. */
function rounded(value) {
  if (value !== value) return "–";
  const size = Math.abs(value);
  if (size >= 1e5 || (size > 0 && size < 1e-3)) return value.toExponential(1);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

