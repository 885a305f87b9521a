// Small helpers for elements.

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

/** An element with properties (`onclick`, `class`, `aria-*`, …) and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value as EventListener);
    else if (key === 'class') element.className = String(value);
    else if (key in element && !key.includes('-')) (element as unknown as Props)[key] = value;
    else element.setAttribute(key, value === true ? '' : String(value));
  }
  element.append(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
  return element;
}

/** What the pointer is pressed on, and what waits for it to be let go. */
let pressed: Node | null = null;
const waiting = new Map<Element, Node[]>();
addEventListener('pointerdown', (event) => (pressed = event.target as Node), true);
for (const end of ['pointerup', 'pointercancel', 'blur']) {
  addEventListener(
    end,
    () => {
      pressed = null;
      // After the click that the release makes.
      setTimeout(() => {
        for (const [element, children] of waiting) element.replaceChildren(...children);
        waiting.clear();
      });
    },
    true,
  );
}

/**
 * Replaces what is in an element. What the pointer is pressed on stays until it is let go: a button that is
 * taken away between press and release is never clicked.
 */
export function fill(element: Element, ...children: Child[]): void {
  const nodes = children
    .filter((c): c is Node | string => c !== null && c !== undefined && c !== false)
    .map((c) => (typeof c === 'string' ? document.createTextNode(c) : c));
  if (pressed && pressed !== element && element.contains(pressed)) {
    waiting.set(element, nodes);
    return;
  }
  waiting.delete(element);
  element.replaceChildren(...nodes);
}

const SHAPES: Record<string, string> = {
  open: 'M3 6.5V18a1.5 1.5 0 0 0 1.5 1.5h15A1.5 1.5 0 0 0 21 18V8.5A1.5 1.5 0 0 0 19.5 7H12L9.5 4.5h-5A1.5 1.5 0 0 0 3 6z',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  export: 'M12 15V3M7 8l5-5 5 5M4 15v4a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4',
  save: 'M5 3h11l5 5v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM8 3v5h7V3M7 21v-7h10v7',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M2 12h2M20 12h2M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4',
  help: 'M9.2 9a2.9 2.9 0 1 1 4 2.7c-.8.4-1.2 1-1.2 1.8M12 17h.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M7 5v14M17 5v14',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM20 20l-4-4',
  close: 'M6 6l12 12M18 6L6 18',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  warn: 'M12 4L2.8 19.5h18.4zM12 10v4.5M12 17h.01',
  frame: 'M4 9V5a1 1 0 0 1 1-1h4M15 4h4a1 1 0 0 1 1 1v4M20 15v4a1 1 0 0 1-1 1h-4M9 20H5a1 1 0 0 1-1-1v-4',
  bone: 'M6 5l3 3 2 8 5 3M9 8l7 3 0 8M9 8l2 8M16 11l-5 5',
  beside: 'M4 5h7v14H4zM13 5h7v14h-7z',
  flat: 'M4 7l8-4 8 4v10l-8 4-8-4zM4 7l8 4 8-4M12 11v10',
  wipe: 'M4 5h16v14H4zM12 3v18',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  target: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 2v4M12 18v4M2 12h4M18 12h4',
  key: 'M14 6a4 4 0 1 1-3.4 6.1L4 19v2h3v-2h2v-2h2l1.3-1.3A4 4 0 0 1 14 6z',
  plus: 'M12 5v14M5 12h14',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  chevron: 'M9 6l6 6-6 6',
  reset: 'M4 12a8 8 0 1 0 3-6.2M4 4v4h4',
};

const SVG = 'http://www.w3.org/2000/svg';

/** A line drawing of 24 by 24. */
export function icon(name: keyof typeof SHAPES | string, size = 16): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('width', String(size));
  svg.setAttribute('height', String(size));
  svg.setAttribute('aria-hidden', 'true');
  svg.classList.add('icon');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', SHAPES[name] ?? '');
  svg.append(path);
  return svg;
}

/** A choice of a few, shown side by side. */
export function segmented<T extends string>(
  label: string,
  choices: { value: T; title: string; tip?: string; disabled?: boolean }[],
  chosen: T,
  choose: (value: T) => void,
): HTMLElement {
  const group = h('div', { class: 'segmented', role: 'radiogroup', 'aria-label': label });
  for (const choice of choices) {
    const button = h(
      'button',
      {
        type: 'button',
        role: 'radio',
        'aria-checked': String(choice.value === chosen),
        'data-value': choice.value,
        title: choice.tip,
        disabled: choice.disabled,
        onclick: () => choose(choice.value),
      },
      choice.title,
    );
    group.append(button);
  }
  return group;
}

/** A number on a line, with its value beside it. */
export function slider(options: {
  label: string;
  name: string;
  min: number;
  max: number;
  step: number;
  value: number;
  shown?: (value: number) => string;
  moved: (value: number) => void;
  released?: (value: number) => void;
}): HTMLElement {
  const shown = options.shown ?? ((value: number) => value.toFixed(2));
  const output = h('output', {}, shown(options.value));
  const input = h('input', {
    type: 'range',
    name: options.name,
    min: options.min,
    max: options.max,
    step: options.step,
    'aria-label': options.label,
    oninput: () => {
      output.textContent = shown(input.valueAsNumber);
      options.moved(input.valueAsNumber);
    },
    onchange: () => options.released?.(input.valueAsNumber),
  });
  input.value = String(options.value);
  return h('label', { class: 'slider' }, h('span', {}, options.label), output, input);
}

/** A choice of many. */
export function select(
  label: string,
  name: string,
  choices: { value: string; title: string }[],
  chosen: string,
  choose: (value: string) => void,
): HTMLElement {
  const input = h('select', { name, 'aria-label': label, onchange: () => choose(input.value) });
  for (const choice of choices) {
    input.append(h('option', { value: choice.value, selected: choice.value === chosen }, choice.title));
  }
  return h('label', { class: 'field' }, h('span', {}, label), input);
}

export function toggle(label: string, name: string, on: boolean, changed: (on: boolean) => void): HTMLElement {
  const input = h('input', { type: 'checkbox', name, checked: on, onchange: () => changed(input.checked) });
  return h('label', { class: 'toggle' }, input, h('span', {}, label));
}

/** What a step is for, and whether that is reached. */
export function goal(wanted: string, reached: string, done: boolean): HTMLElement {
  return h(
    'p',
    { class: done ? 'goal done' : 'goal' },
    done ? icon('check', 14) : null,
    done ? reached : wanted,
  );
}

export function bytes(count: number): string {
  return count < 1e6 ? `${Math.max(1, Math.round(count / 1e3))} KB` : `${(count / 1e6).toFixed(1)} MB`;
}
