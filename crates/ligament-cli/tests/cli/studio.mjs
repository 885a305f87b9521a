// Drives the studio's page in a real browser, as a person would, and prints what it saw as JSON.
//
// node studio.mjs PLAYWRIGHT CHROMIUM ADDRESS PICTURES PHASE [FILE]

import { createRequire } from 'node:module';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { animated } from './animate.mjs';
import { hands } from './studio_hands.mjs';
import { measure } from './studio_measure.mjs';
import { fromNothing } from './studio_nothing.mjs';
import { rig } from './studio_rig.mjs';

const [tools, executablePath, address, pictures, phase, file] = process.argv.slice(2);
const { chromium } = createRequire(join(tools, 'node_modules/'))('playwright-core');

const profile = mkdtempSync(join(tmpdir(), 'ligament-studio-'));
const context = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  viewport: { width: 1280, height: 720 },
  deviceScaleFactor: phase === 'moving' ? 0.5 : 1,
  colorScheme: 'dark',
  acceptDownloads: true,
  args: [
    '--headless=new',
    '--no-sandbox',
    '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader',
    '--ignore-gpu-blocklist',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--no-first-run',
  ],
});
const page = context.pages()[0] ?? (await context.newPage());
const seen = { said: [], elsewhere: [] };
page.on('console', (message) => {
  if (['error', 'warning'].includes(message.type())) {
    // What the driver of software WebGL says about readPixels is no fault of the page.
    if (!/GPU stall|GL Driver Message|swiftshader|Canvas2D: Multiple readback/i.test(message.text())) seen.said.push(message.text());
  }
});
page.on('pageerror', (error) => seen.said.push(String(error)));
page.on('request', (request) => {
  if (!request.url().startsWith(new URL(address).origin) && !request.url().startsWith('blob:')) {
    seen.elsewhere.push(request.url());
  }
});

/** Pictures of the guide, which are kept small. */
const GUIDE = ['bound', 'weights', 'pose', 'split', 'judge', 'solid', 'joint-drag', 'paint', 'weight-table', 'handles'];
const picture = async (name) => {
  await page.screenshot({ path: join(pictures, `${name}.png`) });
  if (GUIDE.includes(name)) {
    await page.screenshot({ path: join(pictures, `studio-${name}.jpg`), type: 'jpeg', quality: 82 });
  }
};
const app = (what, argument) => page.evaluate(what, argument);
const until = (what, argument) => page.waitForFunction(what, argument, { timeout: 180_000, polling: 100 });
const step = () => app(() => window.studio.standing.value.at);
const settled = () =>
  until(() => window.studio.jobs.value.length === 0 && !window.studio.standing.value.slots.some((s) => s?.pending));
/** How many colours the canvas has: a blank one has one. */
const colors = () =>
  app(() => {
    const pixels = window.studio.viewer.pixels();
    const found = new Set();
    for (let i = 0; i < pixels.length; i += 4) found.add((pixels[i] << 16) | (pixels[i + 1] << 8) | pixels[i + 2]);
    return found.size;
  });
/** A number for all weights of a slot that the GPU has. */
const hash = (slot) =>
  app((slot) => {
    const name = slot === 0 ? 'weightsA' : 'weightsB';
    const data = window.studio.viewer.skin.uniforms[name].value.image.data;
    let sum = 2166136261;
    for (let i = 0; i < data.length; i++) sum = Math.imul(sum ^ data[i], 16777619) >>> 0;
    return sum;
  }, slot);
const tab = (name) => page.click(`[data-tab=${name}]`);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

try {
  await page.goto(address);
  await until(() => document.documentElement.dataset.drawn);
  seen.title = await page.title();
  seen.drawn = await app(() => performance.getEntriesByName('drawn')[0].startTime);
  seen.address = page.url();
  seen.vertices = await app(() => window.studio.scene.value.vertices);
  seen.software = await app(() => window.studio.viewer.software);
  if (phase === 'recover') await recover();
  else if (phase === 'first') seen.colors = await colors();
  else if (phase === 'moving') await moving();
  else if (phase === 'more') await more();
  else if (phase === 'solid') await solid();
  else if (phase === 'rig') await rig({ app, page, until, settled, seen, hash, step, tab, picture, onScreen, selectJoint });
  else if (phase === 'nothing') await fromNothing({ app, page, until, settled, seen, hash, step, tab, picture, onScreen });
  else if (phase === 'hands') await hands({ app, page, until, settled, seen, hash, step, tab, picture, selectJoint });
  else if (phase === 'measure') await measure({ app, page, settled, median, seen });
  else await work();
} catch (error) {
  // What the page says when a step did not come about.
  seen.toasts = await page.locator('.toast').allTextContents();
  seen.standing = await app(() => window.studio.standing.value);
  await picture(`failed-${phase}`);
  throw error;
} finally {
  console.log(JSON.stringify(seen));
  await context.close();
  rmSync(profile, { recursive: true, force: true });
}

async function recover() {
  seen.offered = await page.textContent('.banner');
  await picture('recovery');
  await page.click('[data-act=recover]');
  await until(() => window.studio.standing.value.history.length > 1);
  await settled();
  await until(() => window.studio.standing.value.slots[0] !== null);
  seen.history = await app(() => window.studio.standing.value.history);
  seen.hash = await hash(0);
}

/** A file that is dropped, thumbnails, a region brushed onto the skin, poses kept as a clip. */
async function more() {
  await page.click('[data-act=open]');
  await until(() => {
    const canvas = document.querySelector('.thumbnail');
    const pixels = canvas?.getContext('2d').getImageData(0, 0, 160, 160).data;
    return pixels?.some((x, i) => i % 4 === 3 && x > 0);
  });
  await page.waitForTimeout(1500);
  await picture('thumbnails');
  await page.setInputFiles('dialog input[type=file]', file);
  await until(() => window.studio.scene.value?.has_weights);
  await until(() => document.title.endsWith('.glb'));
  seen.opened = await page.title();
  seen.own = await hash(0);
  await page.selectOption('select[name=method]', 'voxel');
  await page.click('[data-act=bind]');
  await until(() => window.studio.standing.value.state.bind?.method === 'voxel');
  await settled();
  seen.bound = await hash(0);

  await page.click('#panel-bind details.more summary');
  await page.selectOption('select[name=region]', 'brush');
  const rect = await app(() => {
    const { left, top, width, height } = window.studio.viewer.panes[0].getBoundingClientRect();
    return { left, top, width, height };
  });
  await page.mouse.move(rect.left + 0.5 * rect.width, rect.top + 0.35 * rect.height);
  await page.mouse.down();
  for (let k = 0; k <= 10; k++) {
    await page.mouse.move(rect.left + 0.5 * rect.width, rect.top + (0.35 + 0.02 * k) * rect.height);
    await page.waitForTimeout(80);
  }
  await page.mouse.up();
  await page.waitForTimeout(400);
  await picture('brush');
  await page.click('[data-act=keep-region]');
  await until(() => window.studio.standing.value.state.bind.regions.length === 1);
  await settled();
  seen.region = await app(() => window.studio.standing.value.state.bind.regions[0].of.vertices.length);
  seen.regional = await hash(0);
  await picture('region');

  await tab('pose');
  await page.selectOption('select[name=clip]', 'pose');
  await page.keyboard.press('k');
  await until(() => window.studio.standing.value.state.keys.length === 1);
  await app(() => window.studio.select(window.studio.scene.value.joints.findIndex((j) => j.in_skin)));
  await page.click('[data-turn="x15"]');
  await until(() => window.studio.standing.value.state.pose.length === 1);
  await page.keyboard.press('k');
  await until(() => window.studio.standing.value.state.keys.length === 2);
  await page.selectOption('select[name=clip]', 'keys');
  await page.waitForTimeout(300);
  await picture('keys');
  await page.click('[data-act=export]');
  await page.click('[data-format=glb]');
  await until(() => document.documentElement.dataset.written);
  seen.written = await app(() => document.documentElement.dataset.written);

  await tab('judge');
  await page.click('[data-act=judge]');
  await until(() => window.studio.report.value !== null);
  seen.places = await app(() => window.studio.report.value.places.length);
  const there = page.locator('[data-act=go-there]').first();
  if (await there.count()) {
    await there.click();
    await page.waitForTimeout(500);
    await picture('go-there');
  }
}

/** Where a place of the character is on the screen. */
function onScreen(place) {
  return app((place) => {
    const { viewer } = window.studio;
    const rect = viewer.panes[0].getBoundingClientRect();
    const p = viewer.orbit.target.clone().set(...place).project(viewer.orbit.camera);
    return { x: rect.left + ((p.x + 1) / 2) * rect.width, y: rect.top + ((1 - p.y) / 2) * rect.height };
  }, place);
}

async function selectJoint(name) {
  await page.fill('input[aria-label="Find a joint"]', name);
  await page.keyboard.press('Enter');
  await page.fill('input[aria-label="Find a joint"]', '');
}

async function boundWith(what, argument) {
  await until(what, argument);
  await settled();
}

function option(name) {
  return app((name) => window.studio.standing.value.state.bind.options[name] ?? [], name);
}

/** Left against right, shapes set by the gizmo, the solid cut open and painted, views left out, and where faults are. */
async function solid() {
  seen.start = await hash(0);
  seen.clips = await app(() => window.studio.scene.value.clips.map((c) => c.kind));
  await page.selectOption('select[name=method]', 'voxel');
  await page.click('[data-act=bind]');
  await boundWith(() => window.studio.standing.value.state.bind?.method === 'voxel');
  seen.bound = await hash(0);

  // Which joints take part, and why; one click leaves one out, another takes it again.
  await page.click('summary:text-is("Joints")');
  await page.click('summary:has-text("Which joints, and why")');
  await page.waitForSelector('[data-which=left_hand]');
  seen.reasons = await page.locator('.which-joint .note').allTextContents();
  await page.uncheck('[data-which=left_hand]');
  await boundWith(() => window.studio.standing.value.state.bind?.deform.length > 0);
  seen.takesPart = await app(() => window.studio.standing.value.state.bind.deform);
  seen.leftOut = await hash(0);
  await page.waitForSelector('[data-which=left_hand]:not(:checked)');
  await picture('which-joints');
  await page.check('[data-which=left_hand]');
  await boundWith(() => window.studio.standing.value.state.bind?.deform.length === 0);
  seen.takenAgain = await hash(0);
  // Closed again: its many ticks would come before all else for who goes by keyboard.
  await page.click('summary:has-text("Which joints, and why")');

  await page.click('.tools.left [data-value=symmetry]');
  await until(() => window.studio.viewer.skin.mirrored);
  await page.waitForTimeout(300);
  await picture('symmetry');
  await page.click('.tools.left [data-value=surface]');

  // A ball around a hand, then moved by its gizmo.
  await page.click('summary:has-text("Shapes that attract skin")');
  await selectJoint('left_hand');
  await page.click('[data-shape=ball]');
  await boundWith(() => window.studio.standing.value.state.bind.options.shapes?.length === 1);
  seen.shaped = await hash(0);
  await page.waitForTimeout(300);
  const centre = await app(() => window.studio.viewer.attractors.group.children[0].position.toArray());
  const at = await onScreen(centre);
  seen.dragged = false;
  for (let radius = 16; radius < 120 && !seen.dragged; radius += 3) {
    await page.mouse.move(at.x, at.y - radius);
    if (!(await app(() => window.studio.viewer.attractors.busy))) continue;
    await page.mouse.down();
    for (let k = 1; k <= 8; k++) await page.mouse.move(at.x, at.y - radius - 5 * k);
    await picture('shapes');
    await page.mouse.up();
    await boundWith(() => window.studio.standing.value.state.bind.options.shapes[0].shape.ball.offset.some((x) => x !== 0));
    seen.dragged = true;
  }
  seen.offset = (await option('shapes'))[0].shape.ball.offset;
  seen.moved = await hash(0);

  // The solid: cut, painted out, a view left out.
  await tab('weights');
  await page.click('[data-section=solid] summary');
  const counts = () => app(() => window.studio.viewer.voxels.counts);
  await until(() => window.studio.viewer.voxels.counts[0] > 0);
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  await page.waitForTimeout(300);
  seen.counts = await counts();
  await picture('solid');
  await page.click('[data-section=solid] [data-value=out]');
  const chest = await onScreen(await app(() => window.studio.viewer.skin.box.getCenter(window.studio.viewer.orbit.target.clone()).toArray()));
  await page.mouse.move(chest.x, chest.y - 60);
  await page.mouse.down();
  for (let k = 1; k <= 8; k++) {
    await page.mouse.move(chest.x, chest.y - 60 - 10 * k);
    await page.waitForTimeout(30);
  }
  await picture('painting');
  await page.mouse.up();
  await boundWith(() => (window.studio.standing.value.state.bind.options.paint?.length ?? 0) > 1);
  await page.waitForTimeout(500);
  await settled();
  seen.painted = await counts();
  seen.balls = (await option('paint')).length;
  await page.click('[data-section=solid] [data-value=look]');
  for (const view of ['+y', '-y', '+z', '-z']) {
    await page.click(`[data-view="${view}"]`);
    await boundWith((view) => window.studio.standing.value.state.bind.options.exclude_views?.includes(view), view);
  }
  await page.waitForTimeout(500);
  await settled();
  seen.withoutViews = await counts();
  seen.excluded = await option('exclude_views');
  await picture('views');
  await page.click('[data-section=solid] summary');

  // What is broken on purpose is found, and gone to.
  await tab('bind');
  await page.selectOption('select[name=method]', 'hierarchy');
  await page.click('[data-act=bind]');
  await boundWith(() => window.studio.standing.value.state.bind.method === 'hierarchy');
  await tab('judge');
  await page.click('[data-act=judge]');
  await until(() => window.studio.report.value !== null);
  const looked = await app(() => window.studio.viewer.orbit.target.toArray());
  await page.click('[data-act=go-there]');
  // Frames of a busy machine may be long.
  const moved = (looked) => window.studio.viewer.orbit.target.toArray().some((x, i) => Math.abs(x - looked[i]) > 1e-9);
  await page.waitForFunction(moved, looked, { timeout: 15_000 }).catch(() => undefined);
  await page.waitForTimeout(600);
  seen.there = await app(() => {
    const { studio } = window;
    const place = studio.report.value.places[0];
    const world = studio.viewer.worldFromJoints;
    const at = 12 * place.joint;
    const joint = studio.viewer.orbit.target.clone().set(world[at + 9], world[at + 10], world[at + 11]);
    const source = studio.player.source.value;
    const held = place.pose && studio.player.pose.every((x, i) => Math.abs(x - place.pose[i]) < 1e-3);
    return {
      place,
      selected: studio.viewer.selected.value === place.joint,
      looksAt: studio.viewer.orbit.target.distanceTo(joint) / studio.viewer.skin.box.max.distanceTo(studio.viewer.skin.box.min),
      posed: place.clip === null ? held || place.pose === null : source.clip === place.clip && Math.abs(studio.player.seconds.value - place.seconds) < 1e-3,
      map: studio.viewer.look.coloring === 'map',
      playing: studio.player.playing.value,
    };
  });
  await picture('go-there');

  // All of it taken back.
  const last = await step();
  for (let now = last; now > 0; now--) {
    await page.keyboard.press('Control+z');
    await until((now) => window.studio.standing.value.at === now, now - 1);
  }
  await settled();
  seen.undone = await hash(0);
  await keyboardAlone();
}

/** Everything but the brush without a pointer: where the focus is can be seen, and it reaches what there is. */
async function keyboardAlone() {
  await tab('bind');
  await app(() => {
    // From the beginning of the page on.
    const first = document.querySelector('.mark');
    first.tabIndex = -1;
    first.focus();
  });
  const reached = new Set();
  seen.unseen = [];
  for (let k = 0; k < 90; k++) {
    await page.keyboard.press('Tab');
    const now = await app(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      const around = element.closest('.search, .slider, .field') ?? element;
      const marked = [style, getComputedStyle(around)].some(
        (s) => (s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0) || s.boxShadow !== 'none' || s.borderColor === getComputedStyle(document.documentElement).getPropertyValue('--accent'),
      );
      const name = element.getAttribute('data-act') ?? element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 30);
      return { name, marked: marked || element.matches(':focus-visible') };
    });
    if (!now) break;
    reached.add(now.name);
    if (!now.marked) seen.unseen.push(now.name);
  }
  seen.reached = [...reached];
  await picture('focus');
}

/** The falloff moved while the character walks, as a moving picture. */
async function moving() {
  await page.click('[data-act=bind]');
  await until(() => window.studio.standing.value.state.bind !== null);
  await settled();
  await app(() => {
    const { studio } = window;
    studio.setLook({ coloring: 'joints', bones: false });
    studio.player.choose({ clip: 0 });
  });
  await until(() => window.studio.player.duration > 0);
  const frames = [];
  const count = 12;
  for (let k = 0; k < count; k++) {
    // There and back, and once around the clip.
    const falloff = 0.5 - 0.5 * Math.cos((2 * Math.PI * k) / count);
    await page.locator('input[name=falloff]').fill(String(Number(falloff.toFixed(2))));
    await app((share) => {
      const { player, viewer } = window.studio;
      player.seek(share * player.duration);
      viewer.draw();
    }, k / count);
    await settled();
    await page.waitForTimeout(250);
    frames.push(await page.screenshot({ type: 'png' }));
  }
  writeFileSync(join(pictures, 'studio.png'), animated(frames, 110));
}

async function work() {
  seen.colors = await colors();
  seen.start = await hash(0);
  await picture('open');

  // Bind.
  await page.click('[data-act=bind]');
  await until(() => window.studio.standing.value.state.bind !== null);
  await settled();
  seen.bound = await hash(0);
  await picture('bound');

  // The falloff moves while a clip plays.
  await page.keyboard.press('Space');
  await until(() => window.studio.player.playing.value);
  const falloff = page.locator('input[name=falloff]');
  const box = await falloff.boundingBox();
  const framesBefore = await app(() => window.studio.viewer.frames);
  await page.mouse.move(box.x + 0.2 * box.width, box.y + box.height / 2);
  await page.mouse.down();
  for (let k = 0; k <= 12; k++) {
    await page.mouse.move(box.x + (0.2 + 0.06 * k) * box.width, box.y + box.height / 2);
    await page.waitForTimeout(60);
  }
  seen.during = await hash(0);
  seen.stepsDuring = (await app(() => window.studio.standing.value.history)).length;
  seen.framesDuring = (await app(() => window.studio.viewer.frames)) - framesBefore;
  seen.stillPlaying = await app(() => window.studio.player.playing.value);
  await page.mouse.up();
  await until(() => window.studio.standing.value.history.length === 3);
  await settled();
  seen.tried = await app(() => window.studio.tried);
  seen.slid = await hash(0);
  await picture('falloff');
  await page.mouse.move(640, 300);
  await page.keyboard.press('Space');

  // A joint: by the tree, by its bone, and by the skin under the pointer.
  await page.fill('input[aria-label="Find a joint"]', 'left_lower_arm');
  await page.keyboard.press('Enter');
  seen.selected = await app(() => window.studio.scene.value.joints[window.studio.viewer.selected.value]?.name);
  await page.fill('input[aria-label="Find a joint"]', '');
  await tab('weights');
  await page.click('.tools.left [data-value=joint]');
  await page.waitForTimeout(200);
  await picture('weights');
  await page.click('.tools.left [data-value=joints]');
  await page.waitForTimeout(200);
  await picture('joints');
  const place = await app(() => {
    // A place on the screen where the skin is: the middle of the box.
    const rect = window.studio.viewer.panes[0].getBoundingClientRect();
    return { x: rect.left + rect.width / 2, y: rect.top + rect.height * 0.45 };
  });
  await page.keyboard.down('s');
  await page.mouse.click(place.x, place.y);
  await page.keyboard.up('s');
  await page.waitForTimeout(400);
  seen.sampled = await app(() => window.studio.scene.value.joints[window.studio.viewer.selected.value]?.name);
  await page.keyboard.press('b');
  await page.mouse.click(place.x, place.y);
  await until(() => window.studio.pinned.value !== null);
  await page.click('[data-act=why]');
  await page.waitForSelector('#panel-weights table.figures td');
  await picture('why');
  await page.keyboard.press('b');
  await page.click('.tools.left [data-value=surface]');

  // Pose.
  await tab('pose');
  await page.fill('input[aria-label="Find a joint"]', 'left_upper_arm');
  await page.keyboard.press('Enter');
  await page.fill('input[aria-label="Find a joint"]', '');
  const before = await step();
  await page.selectOption('select[name=clip]', 'pose');
  await page.click('[data-turn="z15"]');
  await until((at) => window.studio.standing.value.at === at + 1, before);
  await dragGizmo();
  seen.posed = await app(() => window.studio.standing.value.state.pose.length);
  await page.waitForTimeout(200);
  await picture('pose');
  await page.click('.segmented [data-value=dual]');
  await page.waitForTimeout(200);
  seen.dual = await colors();
  await page.click('.segmented [data-value=mush]');
  await page.waitForTimeout(1500);
  await picture('mush');
  await page.click('.segmented [data-value=linear]');
  await page.keyboard.press('r');
  await page.waitForTimeout(200);
  await picture('rest');
  await page.keyboard.press('r');

  // Compare.
  await tab('compare');
  await page.selectOption('select[name=other]', 'method:closest');
  await until(() => window.studio.standing.value.slots[1]?.name === 'closest');
  await settled();
  await page.waitForTimeout(300);
  seen.other = await hash(1);
  await picture('split');
  await page.click('.panels [data-value=wipe]');
  await page.waitForTimeout(200);
  await picture('wipe');
  await page.click('[data-act=difference]');
  await page.click('.panels [data-value=one]');
  await page.waitForTimeout(200);
  await picture('difference');
  await page.click('[data-act=difference]');

  // Judge.
  await tab('judge');
  await page.click('[data-act=judge]');
  await until(() => window.studio.report.value !== null);
  seen.headline = await app(() => window.studio.report.value.headline);
  await picture('judge');
  const there = page.locator('[data-act=go-there]').first();
  if (await there.count()) {
    await there.click();
    await page.waitForTimeout(400);
    await picture('there');
  }
  await page.keyboard.press('a');
  await page.click('.tools.left [data-value=surface]');

  // Export.
  seen.command = await app(() => window.studio.standing.value.command);
  await page.click('[data-act=export]');
  await page.waitForTimeout(100);
  await picture('export');
  await page.click('[data-format=glb]');
  await until(() => document.documentElement.dataset.written);
  seen.written = await app(() => document.documentElement.dataset.written);
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('.toast .button')]);
  seen.download = download.suggestedFilename();

  // Looks: light, large, the sheet, the list of what can be opened.
  await tab('history');
  await picture('history');
  await page.keyboard.press('?');
  await page.waitForTimeout(100);
  await picture('sheet');
  await page.keyboard.press('Escape');
  await page.click('[data-act=open]');
  await page.waitForTimeout(100);
  await picture('library');
  await page.keyboard.press('Escape');
  await page.click('button[aria-label="Dark or light"]');
  await tab('bind');
  await page.waitForTimeout(200);
  await picture('light');
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.waitForTimeout(400);
  await page.keyboard.press('a');
  await page.waitForTimeout(300);
  await picture('large');
  await page.click('button[aria-label="Dark or light"]');
  await page.setViewportSize({ width: 1280, height: 720 });

  // How long the page's own code takes for a frame.
  await page.selectOption('select[name=clip]', '0');
  await page.waitForTimeout(3000);
  seen.script = median(await app(() => window.studio.viewer.times));
  await page.keyboard.press('Escape');
  await app(() => (window.studio.player.playing.value = false));

  // Undo to the start, and do all again.
  const last = await step();
  seen.last = last;
  for (let at = last; at > 0; at--) {
    await page.keyboard.press('Control+z');
    await until((at) => window.studio.standing.value.at === at, at - 1);
  }
  await settled();
  seen.undone = await hash(0);
  for (let at = 0; at < last; at++) {
    await page.keyboard.press('Control+Shift+z');
    await until((at) => window.studio.standing.value.at === at, at + 1);
  }
  await settled();
  seen.redone = await hash(0);
  seen.history = await app(() => window.studio.standing.value.history);
}

/** Drags a ring of the gizmo. */
async function dragGizmo() {
  const at = await app(() => {
    const { viewer } = window.studio;
    const joint = viewer.selected.value;
    const world = viewer.worldFromJoints;
    const rect = viewer.panes[0].getBoundingClientRect();
    const p = viewer.bones.place(joint, world).project(viewer.orbit.camera);
    return { x: rect.left + ((p.x + 1) / 2) * rect.width, y: rect.top + ((1 - p.y) / 2) * rect.height };
  });
  const steps = await step();
  // Around the joint until a ring is under the pointer.
  for (let radius = 30; radius < 130; radius += 3) {
    await page.mouse.move(at.x + radius, at.y - radius * 0.25);
    if (await app(() => window.studio.viewer.gizmoBusy)) {
      await page.mouse.down();
      for (let k = 1; k <= 8; k++) await page.mouse.move(at.x + radius, at.y - radius * 0.25 - 7 * k);
      await page.mouse.up();
      await until((steps) => window.studio.standing.value.at === steps + 1, steps);
      seen.gizmo = true;
      return;
    }
  }
  seen.gizmo = false;
}
