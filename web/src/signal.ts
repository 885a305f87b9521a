// A value that tells when it changes.

export class Signal<T> {
  private listeners = new Set<(value: T) => void>();

  constructor(private current: T) {}

  get value(): T {
    return this.current;
  }

  set value(next: T) {
    if (Object.is(next, this.current)) return;
    this.current = next;
    for (const listener of this.listeners) listener(next);
  }

  /** Calls now and at every change. */
  each(listener: (value: T) => void): void {
    this.listeners.add(listener);
    listener(this.current);
  }

  /** Calls at every change. */
  on(listener: (value: T) => void): void {
    this.listeners.add(listener);
  }
}
