// A mesh with no bones, in the page: a skeleton is found, fitted, moved and taken into hands. Every click is counted.

export async function fromNothing({ app, page, until, settled, seen, hash, step, tab, picture, onScreen }) {
  const started = Date.now();
  let clicks = 0;
  const click = async (what) => {
    clicks += 1;
    await page.click(what);
  };
  const named = () => app(() => window.studio.scene.value.joints.filter((j) => j.in_skin).map((j) => j.name));
  const isOpen = async (before) => {
    await until((before) => window.studio.scene.value.serial !== before && window.studio.standing.value?.slots[0], before);
    await settled();
    await page.waitForTimeout(300);
  };
  const serial = () => app(() => window.studio.scene.value.serial);

  clicks += 1;
  await tab('rig');
  let before = await serial();
  await click('[data-act=extract]');
  await isOpen(before);
  seen.found = await named();
  seen.bound = (Date.now() - started) / 1000;
  await picture(`nothing-found-${seen.title}`);

  // Options are live: the skeleton is found anew at once.
  before = await serial();
  clicks += 2;
  await page.selectOption('select[name=extract-template]', 'humanoid');
  const fitted = await Promise.race([
    isOpen(before).then(() => true),
    page.waitForSelector('.toast.error, .toast[data-kind=error]', { timeout: 120_000 }).then(() => false),
  ]);
  seen.fitted = fitted;
  seen.why = fitted ? null : await page.textContent('.toast');
  seen.named = await named();

  // It walks, if it is a body that motions are made for.
  const walk = await app(() => window.studio.scene.value.clips.findIndex((c) => c.name === 'builtin:walk'));
  if (walk >= 0) {
    clicks += 2;
    await page.selectOption('select[name=clip]', String(walk));
    await until(() => window.studio.player.duration > 0);
    await click('[data-act=play]');
    await page.waitForTimeout(600);
    await click('[data-act=play]');
  }
  seen.walks = walk >= 0;
  await picture(`nothing-walks-${seen.title}`);
  await app(() => window.studio.player.hold(window.studio.rig.rest));

  // A joint that is not where a person would have it is dragged.
  await click('[data-act=take-rig]');
  await until(() => window.studio.standing.value.state.rig !== null);
  await settled();
  const own = await hash(0);
  const elbow = await app(() => {
    const { joints } = window.studio.scene.value;
    const at = joints.findIndex((j) => /left.?(lower.?arm|fore.?arm|elbow)/i.test(j.name));
    return joints[at < 0 ? Math.floor(joints.length / 2) : at].bind.slice(9, 12);
  });
  await page.keyboard.press('a');
  await page.waitForTimeout(300);
  const from = await onScreen(elbow);
  const at = await step();
  clicks += 1;
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let k = 1; k <= 5; k++) {
    await page.mouse.move(from.x + 3 * k, from.y + 2 * k);
    await page.waitForTimeout(60);
  }
  await page.mouse.up();
  await until((at) => window.studio.standing.value.at === at + 1, at);
  await settled();
  seen.followed = (await hash(0)) !== own;

  await click('[data-act=export]');
  await click('[data-format=glb]');
  await until(() => document.documentElement.dataset.written?.endsWith('.glb'));
  seen.written = await app(() => document.documentElement.dataset.written);
  seen.clicks = clicks;
  seen.seconds = (Date.now() - started) / 1000;
}
