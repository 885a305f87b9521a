// Hands on the rig, in the page: a joint dragged on both sides, the handles, views along an axis, joints that come.

export async function rig({ app, page, until, settled, seen, hash, step, tab, picture, onScreen, selectJoint }) {
  seen.start = await hash(0);
  await tab('rig');
  await page.click('[data-act=take-rig]');
  await until(() => window.studio.standing.value.state.rig !== null);
  await settled();
  seen.taken = await hash(0);
  await page.click('input[name=mirrored]');
  await until(() => window.studio.viewer.skin.partners !== null);
  const bindOf = (name) => app((name) => window.studio.scene.value.joints.find((j) => j.name === name)?.bind.slice(9, 12), name);
  const elbows = [await bindOf('left_lower_arm'), await bindOf('right_lower_arm')];
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  await page.waitForTimeout(300);
  // Along an axis lines of sight are parallel; to go into the middle takes perspective.
  seen.flat = await app(() => window.studio.viewer.orbit.flat);
  await page.keyboard.press('o');
  await page.waitForTimeout(200);
  seen.perspective = await app(() => !window.studio.viewer.orbit.flat);
  const from = await onScreen(elbows[0]);
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let k = 1; k <= 6; k++) {
    await page.mouse.move(from.x - 4 * k, from.y + k);
    await page.waitForTimeout(60);
  }
  seen.stepsDuring = await app(() => window.studio.standing.value.state.rig.script.length);
  seen.loupe = await app(() => document.querySelector('.loupe') !== null && window.studio.viewer.loupe !== null);
  await picture('joint-drag');
  await page.mouse.up();
  await until(() => window.studio.standing.value.state.rig.script.length === 2);
  await settled();
  seen.dragged = await app(() => window.studio.dragged);
  seen.moved = await hash(0);
  seen.elbows = [elbows, [await bindOf('left_lower_arm'), await bindOf('right_lower_arm')]];
  await app(() => {
    const handle = document.querySelector('input[name=rig-magnitude]');
    handle.value = '2';
    handle.dispatchEvent(new Event('input', { bubbles: true }));
    handle.dispatchEvent(new Event('change', { bubbles: true }));
  });
  await until(() => window.studio.standing.value.state.rig.script.some((c) => c.command === 'magnitude'));
  await settled();
  seen.magnified = await hash(0);
  seen.loupeAfter = await app(() => document.querySelector('.loupe') !== null);

  // The handles on the bone: each is dragged, and is one step.
  if (await app(() => window.studio.viewer.selected.value === null)) await selectJoint('left_lower_arm');
  await page.waitForTimeout(300);
  seen.limits = await page.textContent('#panel-rig .limits');
  await picture('handles');
  const handle = async (kind, dx, dy) => {
    const before = await step();
    const knob = page.locator(`.handle-knob.${kind}`);
    const box = await knob.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    for (let k = 1; k <= 4; k++) {
      await page.mouse.move(x + (dx * k) / 4, y + (dy * k) / 4);
      await page.waitForTimeout(60);
    }
    await page.mouse.up();
    await until((before) => window.studio.standing.value.at === before + 1, before);
    await settled();
  };
  const count = () => app(() => window.studio.standing.value.state.rig.script.length);
  const scripts = [await count()];
  await handle('range', 10, 14);
  scripts.push(await count());
  await handle('magnitude', 6, 10);
  scripts.push(await count());
  await handle('smoothness', -6, -12);
  scripts.push(await count());
  seen.scripts = scripts;
  seen.ranged = await app(() => window.studio.standing.value.state.rig.script.filter((c) => c.command === 'range'));
  seen.handled = await hash(0);
  const beforeAlign = await step();
  await page.click('#panel-rig button:has-text("Align")');
  await until((at) => window.studio.standing.value.at === at + 1, beforeAlign);
  await settled();

  // In a view along an axis the depth stays.
  await page.keyboard.press('1');
  await page.waitForTimeout(200);
  const knee = await bindOf('left_lower_leg');
  if (knee) {
    const at = await onScreen(knee);
    const before = await step();
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    for (let k = 1; k <= 4; k++) {
      await page.mouse.move(at.x + 2 * k, at.y);
      await page.waitForTimeout(60);
    }
    await page.mouse.up();
    await until((at) => window.studio.standing.value.at === at + 1, before);
    await settled();
    seen.knee = [knee, await bindOf('left_lower_leg')];
  }
  const joints = () => app(() => window.studio.scene.value.joints.length);
  seen.before = await joints();
  await page.click('button:has-text("Insert above")');
  await until((count) => window.studio.scene.value.joints.length > count, seen.before);
  await settled();
  await picture('rig');

  // A limb that is missing, on both sides: clicks hang joint on joint.
  await page.keyboard.press('1');
  await page.keyboard.press('a');
  await page.keyboard.press('o');
  await page.waitForTimeout(300);
  await until(() => window.studio.viewer.skin.partners !== null);
  await selectJoint('chest');
  await page.click('[data-act=add-joints]');
  const shoulder = await bindOf('left_upper_arm');
  const limb = [];
  await picture('add-limb');
  for (const height of [0.04, 0.02]) {
    const held = await joints();
    const at = await onScreen([shoulder[0] * (limb.length ? 0.75 : 0.4), shoulder[1] - height, shoulder[2]]);
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.up();
    await until((count) => window.studio.scene.value.joints.length === count + 2, held);
    await settled();
    await until(() => document.querySelector('[data-act=joints-added]').textContent.includes('added'));
    limb.push(await app(() => window.studio.scene.value.joints.slice(-2).map((j) => ({ name: j.name, parent: j.parent, at: j.bind.slice(9, 12) }))));
    await page.waitForTimeout(200);
  }
  seen.limb = limb;
  seen.limbParents = await app(
    (parents) => parents.map((p) => window.studio.scene.value.joints[p].name),
    limb.flat().map((j) => j.parent),
  );
  seen.limbSelected = await app(() => window.studio.scene.value.joints[window.studio.viewer.selected.value]?.name);
  await picture('added-limb');
  await page.click('[data-act=joints-added]');
  seen.after = await joints();
  seen.script = await app(() => window.studio.standing.value.edits);
  await page.click('[data-act=export]');
  await page.click('[data-format=glb]');
  await until(() => document.documentElement.dataset.written);
  seen.written = await app(() => document.documentElement.dataset.written);
  seen.last = await step();
  seen.end = await hash(0);
  for (let now = seen.last; now > 0; now--) {
    await page.keyboard.press('Control+z');
    await until((now) => window.studio.standing.value.at === now, now - 1);
  }
  await settled();
  await until((count) => window.studio.scene.value.joints.length === count, seen.before);
  await page.waitForTimeout(300);
  seen.undone = await hash(0);
  for (let now = 0; now < seen.last; now++) {
    await page.keyboard.press('Control+Shift+z');
    await until((now) => window.studio.standing.value.at === now, now + 1);
  }
  await settled();
  await until((count) => window.studio.scene.value.joints.length === count, seen.after);
  await page.waitForTimeout(300);
  seen.redone = await hash(0);
}
