// Hands on the weights, in the page: every mode of the brush, fill, a table, the tools, and all of it taken back.

/** A vertex on one side that is seen from the front, as far to the side as `share` of the way, and where it is on the screen. */
const seenAt = (app, share) =>
  app((share) => {
    const { viewer } = window.studio;
    const { skin, orbit, panes } = viewer;
    const rect = panes[0].getBoundingClientRect();
    const wanted = skin.box.max.x * share;
    let best = null;
    for (let v = 0; v < skin.vertices; v++) {
      const [x, y, z] = skin.place(v);
      // What looks to the front is met there.
      if (skin.restNormals[3 * v + 2] < 0.9) continue;
      const away = Math.abs(x - wanted) - 0.02 * z;
      if (best === null || away < best.away) best = { away, v, place: [x, y, z] };
    }
    const p = orbit.target.clone().set(...best.place).project(orbit.camera);
    return { vertex: best.v, x: rect.left + ((p.x + 1) / 2) * rect.width, y: rect.top + ((1 - p.y) / 2) * rect.height };
  }, share);

/** A joint's share at a vertex, as the GPU has it. */
const shareOf = (app, vertex, name) =>
  app(
    ([vertex, name]) => {
      const { viewer, scene } = window.studio;
      const joint = scene.value.joints.findIndex((j) => j.name === name);
      const words = viewer.skin.weights[0].image.data.subarray(8 * vertex, 8 * vertex + 8);
      return [...words].filter((w) => w >>> 16 === joint).reduce((sum, w) => sum + (w & 0xffff) / 65535, 0);
    },
    [vertex, name],
  );

export async function hands({ app, page, until, settled, seen, hash, step, tab, picture, selectJoint }) {
  seen.start = await hash(0);
  await page.selectOption('select[name=method]', 'closest');
  await page.click('[data-act=bind]');
  await until(() => window.studio.standing.value.state.bind?.method === 'closest');
  await settled();
  seen.bound = await hash(0);
  await app(() => window.studio.player.hold(window.studio.rig.rest));
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  await tab('weights');
  await page.click('#panel-weights [data-value=paint]');
  await page.waitForTimeout(300);

  const stroke = async (points, { shift, control } = {}) => {
    const before = await step();
    await page.mouse.move(points[0].x, points[0].y);
    if (shift) await page.keyboard.down('Shift');
    if (control) await page.keyboard.down('Control');
    await page.mouse.down();
    for (const point of points) {
      await page.mouse.move(point.x, point.y, { steps: 3 });
      await page.waitForTimeout(40);
    }
    const during = await step();
    await page.mouse.up();
    if (shift) await page.keyboard.up('Shift');
    if (control) await page.keyboard.up('Control');
    await until((before) => window.studio.standing.value.at === before + 1, before);
    await settled();
    return during - before;
  };
  const arm = await seenAt(app, 0.55);
  const hand = await seenAt(app, 0.78);
  const beside = { x: arm.x, y: arm.y + 160 };

  // Without a joint nothing is painted, and the page says so.
  await page.mouse.click(arm.x, arm.y);
  seen.asked = await page.textContent('.toast');
  await selectJoint('head');
  seen.before = await shareOf(app, arm.vertex, 'head');
  seen.stepsDuring = await stroke([beside, arm, { x: arm.x + 12, y: arm.y }]);
  seen.added = await shareOf(app, arm.vertex, 'head');
  await picture('paint');
  await page.click('#panel-weights [data-value=replace]');
  await stroke([hand]);
  seen.replaced = await shareOf(app, hand.vertex, 'head');
  await page.click('#panel-weights [data-value=scale]');
  await stroke([hand]);
  seen.scaled = await shareOf(app, hand.vertex, 'head');
  await page.click('#panel-weights [data-value=add]');
  await stroke([arm], { control: true });
  seen.less = await shareOf(app, arm.vertex, 'head');
  const beforeRelax = await hash(0);
  await stroke([arm, hand], { shift: true });
  seen.relaxed = (await hash(0)) !== beforeRelax;

  // Keys and a drag change the brush.
  const brush = () => app(() => window.studio.painting.brush.value);
  const first = await brush();
  await page.keyboard.press(']');
  await page.keyboard.press('Shift+}');
  const keyed = await brush();
  await page.mouse.move(arm.x, arm.y);
  await page.keyboard.down('b');
  await page.mouse.down();
  await page.mouse.move(arm.x + 60, arm.y + 20, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('b');
  const dragged = await brush();
  seen.brush = [first, keyed, dragged].map((b) => [b.radius, b.strength]);

  // Both sides.
  await page.click('input[name=paint-mirrored]');
  await stroke([arm, hand]);
  seen.mirrored = await app(() => window.studio.standing.value.edited);
  await picture('paint-mirrored');
  await page.click('input[name=paint-mirrored]');

  // Through the screen.
  await page.click('#panel-weights [data-value=screen]');
  await stroke([arm]);
  await page.click('#panel-weights [data-value=surface]');

  // A table with a number that is typed; copy and paste.
  await page.click('#panel-weights [data-value=select]');
  await page.mouse.click(hand.x, hand.y);
  await until(() => window.studio.painting.table.value.length > 0);
  await page.waitForTimeout(200);
  const now = await step();
  const cell = page.locator('.weight-table tr.edited input[aria-label^="head of"]').first();
  await cell.fill('0.625');
  await cell.press('Enter');
  await until((now) => window.studio.standing.value.at === now + 1, now);
  await until(() => window.studio.painting.table.value.some((r) => r.influences.some(([, w]) => Math.abs(w - 0.625) < 1e-5)));
  seen.typed = 0.625;
  await picture('weight-table');
  await page.click('[data-act=copy-weights]');
  await page.mouse.click(arm.x, arm.y);
  await until(() => window.studio.painting.table.value.length > 0);
  await page.click('[data-act=paste-weights]');
  await until((now) => window.studio.standing.value.at === now + 2, now);
  for (const title of ['Smooth', 'Mirror → +X', 'Prune']) {
    const at = await step();
    await page.click(`#panel-weights button:has-text("${title}")`);
    await page.waitForTimeout(250);
    seen[title] = (await step()) - at;
  }
  await page.click('#panel-weights [data-value=fill]');
  await page.click('#panel-weights [data-value=replace]');
  const slide = (name, value, events) =>
    app(
      ([name, value, events]) => {
        const slider = document.querySelector(`input[name=${name}]`);
        slider.value = value;
        for (const event of events) slider.dispatchEvent(new Event(event, { bubbles: true }));
      },
      [name, value, events],
    );
  const edits = () => app(() => window.studio.standing.value.edited);
  const fillAt = async (point) => {
    const before = await step();
    await page.mouse.click(point.x, point.y);
    await until((at) => window.studio.standing.value.at === at + 1, before);
    await settled();
    return edits();
  };
  const beforeFill = await edits();
  await slide('paint-fill-reach', '0.25', ['input']);
  const near = await fillAt(hand);
  await slide('paint-fill-reach', '1', ['input']);
  seen.filled = [beforeFill, near, await fillAt(hand)];

  // The layer's opacity follows the slider before it is a step.
  const opaque = { step: await step(), hash: await hash(0) };
  await slide('layer-opacity', '0.4', ['input']);
  await page.waitForTimeout(400);
  seen.opacity = { steps: (await step()) - opaque.step, changed: (await hash(0)) !== opaque.hash };
  await slide('layer-opacity', '0.6', ['input', 'change']);
  await until((at) => window.studio.standing.value.at === at + 1, opaque.step);
  await settled();

  // Painting goes on while a clip plays and another bind is beside it.
  await tab('compare');
  await page.selectOption('select[name=other]', 'method:heat');
  await until(() => window.studio.standing.value.slots[1]);
  await settled();
  await page.click('.panels [data-value=one]');
  await tab('weights');
  await page.click('#panel-weights [data-value=brush]');
  await page.waitForTimeout(300);
  await app(() => window.studio.player.choose({ clip: 0 }));
  await until(() => window.studio.player.duration > 0);
  await page.keyboard.press('Space');
  await until(() => window.studio.player.playing.value);
  const chest = await seenAt(app, 0);
  const playing = { time: await app(() => window.studio.player.seconds.value), own: await hash(0), other: await hash(1) };
  await stroke([chest, { x: chest.x + 20, y: chest.y }]);
  seen.playing = {
    stillPlays: await app(() => window.studio.player.playing.value),
    moved: (await app(() => window.studio.player.seconds.value)) !== playing.time,
    painted: (await hash(0)) !== playing.own,
    otherStays: (await hash(1)) === playing.other,
  };
  await picture('paint-playing');
  await page.keyboard.press('Space');
  await app(() => window.studio.player.hold(window.studio.rig.rest));
  seen.stamped = await app(() => window.studio.painting.stamped);

  // The bind below is made anew.
  const edited = await app(() => window.studio.standing.value.edited);
  await tab('bind');
  await page.selectOption('select[name=method]', 'voxel');
  await page.click('[data-act=bind]');
  await until(() => window.studio.standing.value.state.bind?.method === 'voxel');
  await settled();
  seen.kept = (await app(() => window.studio.standing.value.edited)) === edited;
  seen.command = await app(() => window.studio.standing.value.command);

  await tab('weights');
  await page.click('[data-act=keep-hands]');
  await until(() => document.documentElement.dataset.written?.endsWith('hand_edits.json'));
  seen.layer = await app(() => document.documentElement.dataset.written);
  await page.click('[data-act=export]');
  await page.click('[data-format=glb]');
  await until(() => document.documentElement.dataset.written?.endsWith('.glb'));
  seen.written = await app(() => document.documentElement.dataset.written);
  await page.waitForTimeout(300);
  seen.end = await hash(0);
  seen.last = await step();
  for (let at = seen.last; at > 0; at--) {
    await page.keyboard.press('Control+z');
    await until((at) => window.studio.standing.value.at === at, at - 1);
  }
  await settled();
  await page.waitForTimeout(300);
  seen.undone = await hash(0);
  for (let at = 0; at < seen.last; at++) {
    await page.keyboard.press('Control+Shift+z');
    await until((at) => window.studio.standing.value.at === at, at + 1);
  }
  await settled();
  await page.waitForTimeout(300);
  seen.redone = await hash(0);
}
