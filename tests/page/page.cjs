// Pages in Chromium: they play the recorded run, open nothing else, and no text in them runs.
// The only argument is the program; the working directory is the project's.

const assert = require("node:assert/strict");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const program = process.argv[2];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "page-"));
const MARKUP = `</pre></title></script><script>globalThis.ran = true</script><img src=x onerror="ran = true"><!--`;

/** Runs a scene and returns its page, its trace and its hash. */
function record(scene, steps, trace = true) {
  const name = path.basename(scene, ".ron");
  const [page, lines] = ["html", "jsonl"].map((end) => path.join(folder, `${name}-${steps}.${end}`));
  const traced = trace ? ["--trace", lines] : [];
  const args = ["run", scene, "--steps", String(steps), "--quiet", "--record", page, ...traced];
  const hash = execFileSync(program, args, { encoding: "utf8" }).match(/hash: ([0-9a-f]{16})/)[1];
  const rows = trace ? fs.readFileSync(lines, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [];
  return { page, hash, rows };
}

/** A project whose title, names and texts are markup. */
function hostile() {
  fs.mkdirSync(path.join(folder, "scripts"));
  const text = JSON.stringify(MARKUP);
  const script = `// ${MARKUP}\nconst FORM = param("a", ["a", "b"]);\nfn steer(me, world) { let text = ${text}; 0.5 }\n`;
  fs.writeFileSync(path.join(folder, "scripts", "turn.rhai"), script);
  const scene = path.join(folder, "hostile.ron");
  fs.writeFileSync(scene, `// ${MARKUP}\n(title: ${text}, world: Plane(size: (80, 60), edges: Bounce), bodies: {"m": Mover()},
    groups: [(name: ${text}, body: "m", count: 5, behaviors: [(script: "turn")], look: (color: "red", trail: 1))])`);
  return scene;
}

/** Opens a page and collects its errors and requests. */
async function open(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const noise = [];
  page.on("console", (message) => noise.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => noise.push(`dialog: ${dialog.message()}`));
  page.on("request", (request) => request.url() === pathToFileURL(file).href || noise.push(`request: ${request.url()}`));
  await page.goto(pathToFileURL(file).href);
  if (options.javaScriptEnabled !== false) await page.waitForFunction(() => globalThis.steerbox);
  return { page, noise, close: () => context.close() };
}

/** Positions and headings of every frame that shows a state of the trace, by step and unit. */
const shownStates = () => {
  const { run } = steerbox;
  const poses = makeBuffers(run.size);
  const states = [];
  for (let frame = 0; frame < run.frames; frame++) {
    run.poses(run.times[frame], poses);
    const units = [...poses.track.subarray(0, poses.count)].map((track, at) => ({
      unit: run.tracks.unit[track],
      group: run.groups[run.tracks.group[track]].name,
      position: [...poses.position.subarray(3 * at, 3 * at + 3)],
      heading: [...poses.heading.subarray(3 * at, 3 * at + 3)],
    }));
    states.push({ step: run.steps[frame], time: run.times[frame], units });
  }
  return { states, quanta: run.scales.map(({ quantum }) => quantum), periodic: run.periodic };

  function makeBuffers(size) {
    const floats = () => new Float32Array(3 * size);
    return { track: new Uint32Array(size), position: floats(), heading: floats(), tint: new Uint8Array(size) };
  }
};

async function showsTheTrace(page, rows) {
  const { states, quanta, periodic } = await page.evaluate(shownStates);
  const known = new Map(rows.map((row) => [`${row.step} ${row.unit}`, row]));
  let compared = 0;
  for (const { step, time, units } of states) {
    const expected = known.get(`${step} 0`);
    // A frame between two steps shows an interpolated state.
    if (Math.abs(expected.time - time) > 1e-6) continue;
    for (const shown of units) {
      const row = known.get(`${step} ${shown.unit}`);
      assert.equal(shown.group, row.group);
      shown.position.forEach((at, axis) => {
        let error = Math.abs(at - row.position[axis]);
        if (periodic && axis < 2) error = Math.min(error, Math.abs(65536 * quanta[axis] - error));
        assert(error <= 0.501 * quanta[axis] + 1e-4, `step ${step}, unit ${shown.unit}: ${at} for ${row.position[axis]}`);
      });
      const cos = shown.heading.reduce((sum, part, axis) => sum + part * row.heading[axis], 0);
      assert(cos > Math.cos(0.03), `step ${step}, unit ${shown.unit}: heading ${shown.heading} for ${row.heading}`);
      compared++;
    }
  }
  assert(compared >= 100, `only ${compared} states were compared`);
  const last = rows.at(-1);
  assert.equal(states.at(-1).step, last.step, "the page ends with the run");
  return compared;
}

/** Plays, scrubs and steps by the controls and by keys. */
async function plays(page) {
  const time = () => page.evaluate(() => steerbox.time);
  await page.evaluate(() => steerbox.play(false));
  await page.evaluate(() => steerbox.seek(steerbox.run.times[0]));
  await page.click("#play");
  await page.waitForFunction(() => steerbox.time > steerbox.run.times[0] + 0.2);
  await page.click("#play");
  const paused = await time();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  assert.equal(await time(), paused, "it pauses");
  await page.fill("#scrub", "7");
  assert.equal(await time(), await page.evaluate(() => steerbox.run.times[7]), "it scrubs");
  await page.focus("#canvas");
  await page.keyboard.press(".");
  await page.keyboard.press(".");
  await page.keyboard.press(",");
  assert.equal(await time(), await page.evaluate(() => steerbox.run.times[8]), "it steps by frames");
  await page.keyboard.press("End");
  assert.equal(await time(), await page.evaluate(() => steerbox.run.times.at(-1)));
  await page.keyboard.press("Space");
  await page.waitForFunction(() => steerbox.isPlaying && steerbox.time < steerbox.run.times.at(-1));
  await page.keyboard.press("Space");
  const view = () => page.evaluate(() => steerbox.picture.camera.key);
  for (const key of ["+", "ArrowLeft", "0"]) {
    const before = await view();
    await page.keyboard.press(key);
    await page.waitForFunction((before) => steerbox.picture.camera.key !== before, before);
  }
}

/** A unit is drawn at its place in its color, and the pointer shows its values. */
async function drawsUnits(page) {
  await page.evaluate(() => {
    steerbox.play(false);
    steerbox.toggleTrails(false);
    steerbox.seek(steerbox.run.times[5]);
  });
  await page.waitForFunction(() => !steerbox.requested);
  const drawn = await page.evaluate(() => {
    const { run, poses, view, context, canvas } = steerbox;
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    // Distance of a pixel's color.
    const off = (x, y, color) => {
      const at = 4 * (y * canvas.width + x);
      return Math.hypot(...color.map((part, channel) => part - data[at + channel]));
    };
    let near = 0;
    for (let unit = 0; unit < poses.count; unit++) {
      const [x, y] = [poses.screen[2 * unit], poses.screen[2 * unit + 1]];
      const color = view.colors.unit(run.tracks.group[poses.track[unit]], poses.tint[unit]).match(/\d+/g).slice(0, 3).map(Number);
      const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => [Math.round(x) + dx, Math.round(y) + dy]));
      near += around.some(([x, y]) => off(x, y, color) < 90);
    }
    return [near, poses.count];
  });
  assert(drawn[0] >= 0.95 * drawn[1], `${drawn[0]} of ${drawn[1]} units are drawn`);
  const [x, y, name] = await page.evaluate(() => {
    const bounds = steerbox.canvas.getBoundingClientRect();
    const { poses, run } = steerbox;
    return [bounds.left + poses.screen[0], bounds.top + poses.screen[1], run.groups[run.tracks.group[poses.track[0]]].name];
  });
  await page.mouse.move(x, y);
  await page.waitForSelector("#unit:not([hidden])");
  const text = await page.textContent("#unit");
  assert(text.includes(name) && text.includes("speed") && text.includes("position"), text);
}

/** The policy forbids connections and scripts that were not there. */
async function isClosed(page) {
  const found = await page.evaluate(async () => {
    const violated = [];
    document.addEventListener("securitypolicyviolation", (event) => violated.push(event.effectiveDirective));
    const connected = await fetch("http://127.0.0.1:9/").then(() => true, () => false);
    const script = document.createElement("div");
    script.innerHTML = "<button onclick='globalThis.ran = true'></button><img src='http://127.0.0.1:9/'>";
    document.body.append(script, Object.assign(document.createElement("script"), { text: "globalThis.ran = true" }));
    script.querySelector("button").click();
    await new Promise((done) => setTimeout(done, 100));
    return { connected, violated: violated.map((name) => name.replace(/-(attr|elem)$/, "")), ran: globalThis.ran };
  });
  assert.deepEqual(found.ran, undefined);
  assert.equal(found.connected, false);
  assert.deepEqual([...new Set(found.violated)].sort(), ["connect-src", "img-src", "script-src"]);
}

/** Every control can be reached by the keyboard. */
async function isReachable(page) {
  const reached = new Set();
  await page.evaluate(() => document.activeElement.blur());
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id || document.activeElement.tagName));
  }
  for (const id of ["theme", "canvas", "play", "back", "ahead", "scrub", "rate", "trails", "fit", "SUMMARY", "PRE"]) {
    assert(reached.has(id), `${id} cannot be reached: ${[...reached]}`);
  }
}

async function fitsAPhone(browser, file) {
  const { page, noise, close } = await open(browser, file, { viewport: { width: 390, height: 844 }, colorScheme: "light" });
  const found = await page.evaluate(() => ({
    width: document.documentElement.scrollWidth,
    theme: steerbox.view.theme,
    small: [...document.querySelectorAll("button, select")].filter((control) => control.offsetHeight < 32).length,
  }));
  assert.deepEqual(found, { width: 390, theme: "light", small: 0 });
  assert.deepEqual(noise, []);
  await close();
}

/** Frames per second while it plays. */
async function rate(page) {
  return page.evaluate(async () => {
    steerbox.toggleTrails(true);
    steerbox.seek(steerbox.run.times[0] + 0.3 * steerbox.run.duration);
    steerbox.play(true);
    const [start, draws] = [performance.now(), steerbox.draws];
    await new Promise((done) => setTimeout(done, 4000));
    const frames = (steerbox.draws - draws) / ((performance.now() - start) / 1000);
    steerbox.play(false);
    const begin = performance.now();
    for (let at = 0; at < 60; at++) {
      steerbox.time += 1 / 60;
      steerbox.draw();
    }
    steerbox.context.getImageData(0, 0, 1, 1);
    return { frames, milliseconds: (performance.now() - begin) / 60 };
  });
}

async function main() {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
  try {
    for (const [scene, steps] of [["scenes/flock.ron", 120], ["scenes/fish.ron", 90], ["scenes/aidemo4.ron", 1500]]) {
      const { page: file, hash, rows } = record(scene, steps);
      const { page, noise, close } = await open(browser, file);
      const compared = await showsTheTrace(page, rows);
      await plays(page);
      await drawsUnits(page);
      await isReachable(page);
      assert.equal(await page.textContent("[data-fact=hash]"), hash);
      assert.deepEqual(noise, []);
      await isClosed(page);
      await close();
      await fitsAPhone(browser, file);
      console.log(`${scene}: ${compared} states are those of the trace`);
    }

    const { page: file } = record(hostile(), 60, false);
    const { page, noise, close } = await open(browser, file);
    await page.keyboard.press("n");
    await page.waitForSelector("#unit:not([hidden])");
    assert.equal(await page.evaluate(() => globalThis.ran), undefined);
    assert.equal(await page.textContent("h1"), MARKUP);
    assert((await page.title()).startsWith(MARKUP));
    const texts = await page.evaluate(() => [...document.querySelectorAll("pre")].map((text) => text.textContent));
    for (const text of texts) assert(text.startsWith(`// ${MARKUP}\n`), text);
    assert.deepEqual(noise, []);
    await close();
    const still = await open(browser, file, { javaScriptEnabled: false });
    assert((await still.page.textContent("pre")).includes("(title: "), "texts need no script");
    await still.close();
    console.log("a hostile scene: nothing ran");

    const minute = record("scenes/flock.ron", 3600, false);
    const size = fs.statSync(minute.page).size;
    assert(size < 1.5e6, `a minute of 390 units has ${size} bytes`);
    const shown = await open(browser, minute.page);
    const { frames, milliseconds } = await rate(shown.page);
    await shown.close();
    console.log(`a minute of 390 units: ${size} bytes; ${frames.toFixed(1)} frames/s, ${milliseconds.toFixed(1)} ms per frame at 1280x800`);
  } finally {
    await browser.close();
    fs.rmSync(folder, { recursive: true });
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
