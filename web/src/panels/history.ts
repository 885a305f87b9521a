// History: every step, to be clicked.

import type { App } from '../app';
import { fill, goal, h } from '../dom';

export function historyPanel(app: App): HTMLElement {
  const root = h('section', { class: 'panel', 'aria-label': 'History' });
  const draw = () => {
    const standing = app.standing.value;
    if (!standing) return fill(root);
    const steps = standing.history.map((label, at) =>
      h(
        'li',
        {},
        h(
          'button',
          {
            class: at === standing.at ? 'step here' : at > standing.at ? 'step undone' : 'step',
            'aria-current': at === standing.at ? 'step' : undefined,
            'data-step': String(at),
            onclick: () => void app.go(at),
          },
          label,
        ),
      ),
    );
    fill(
      root,
      goal('Nothing is lost. Click a step to go back to it.', `${standing.history.length - 1} steps, kept as you go.`, standing.history.length > 1),
      h('ol', { class: 'steps' }, ...steps.reverse()),
    );
  };
  app.standing.each(draw);
  return root;
}
