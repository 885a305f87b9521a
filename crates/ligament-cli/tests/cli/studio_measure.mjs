// How fast the studio is, seen from its page.

/** How long sliders, frames and the first picture take; docs/lab/studio.md has what came of it. */
export async function measure({ app, page, settled, median, seen }) {
  const slide = async (smoothing) => {
    await app((smoothing) => {
      const { studio } = window;
      const options = smoothing ? { falloff: 0.1 } : { falloff: 0.1, smoothing: false };
      studio.draft = { ...studio.draft, method: 'voxel', options, influences: 4 };
      studio.tried.length = 0;
      return studio.bind(studio.draft);
    }, smoothing);
    await settled();
    const wire = [];
    for (let k = 0; k < 30; k++) {
      wire.push(
        await app(async (falloff) => {
          const { studio } = window;
          const start = performance.now();
          const before = studio.tried.length;
          studio.try({ ...studio.draft, options: { ...studio.draft.options, falloff } });
          while (studio.tried.length === before) await new Promise((done) => setTimeout(done, 0));
          return performance.now() - start;
        }, 0.1 + 0.025 * (k + 1)),
      );
    }
    const tried = await app(() => window.studio.tried);
    return {
      server: median(tried.map((t) => t.milliseconds)),
      fastest: Math.min(...tried.map((t) => t.milliseconds)),
      page: median(wire),
      rows: Math.max(...tried.map((t) => t.rows)),
      most: Math.max(...tried.map((t) => t.bytes / (20 + 20 * Math.max(1, t.rows)))),
    };
  };
  seen.smoothed = await slide(true);
  seen.plain = await slide(false);
  await page.selectOption('select[name=clip]', '0');
  await page.waitForTimeout(6000);
  seen.script = await app(() => [...window.studio.viewer.times]);
  seen.scriptMedian = median(seen.script);
  seen.scriptFastest = Math.min(...seen.script);
  delete seen.script;
}
