// The line to the server: the secret, the WebSocket, questions and answers.

import { VERSION } from './types';

const KEPT = 'ligament-secret';

export interface Heard {
  welcome: (value: unknown) => void;
  message: (kind: string, value: unknown) => void;
  frame: (frame: ArrayBuffer) => void;
  lost: (message: string, final: boolean) => void;
}

interface Waiting {
  done: (value: unknown) => void;
  failed: (error: Error) => void;
}

export class Link {
  private socket: WebSocket | null = null;
  private secret = '';
  private next = 1;
  private waiting = new Map<number, Waiting>();
  private tries = 0;

  constructor(private readonly heard: Heard) {}

  /** Exchanges the code of the address for the secret, once; a tab keeps the secret over a reload. */
  async open(): Promise<void> {
    const code = location.hash.slice(1);
    if (code) {
      history.replaceState(null, '', location.pathname);
      const answer = await fetch('/session', { method: 'POST', body: code });
      if (answer.ok) {
        sessionStorage.setItem(KEPT, await answer.text());
      } else if (!sessionStorage.getItem(KEPT)) {
        this.heard.lost(`This address was used already. ${RELINK}`, true);
        return;
      }
    }
    this.secret = sessionStorage.getItem(KEPT) ?? '';
    if (!this.secret) {
      this.heard.lost(`This tab has no key to the studio. ${RELINK}`, true);
      return;
    }
    this.connect();
  }

  private connect(): void {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ secret: this.secret, version: VERSION }));
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (event.data instanceof ArrayBuffer) {
        this.heard.frame(event.data);
      } else {
        this.hear(event.data);
      }
    };
    socket.onclose = (event) => this.closed(event);
  }

  private hear(text: string): void {
    const told = JSON.parse(text) as Record<string, unknown>;
    const kind = Object.keys(told)[0];
    const value = told[kind];
    if (kind === 'welcome') {
      this.tries = 0;
      this.heard.welcome(value);
    } else if (kind === 'reply') {
      const { id, value: answer } = value as { id: number; value: unknown };
      this.waiting.get(id)?.done(answer);
      this.waiting.delete(id);
    } else if (kind === 'error') {
      const { id, message } = value as { id: number | null; message: string };
      const waiting = id === null ? undefined : this.waiting.get(id);
      if (waiting && id !== null) {
        this.waiting.delete(id);
        waiting.failed(new Error(message));
      } else {
        this.heard.message('error', message);
      }
    } else {
      this.heard.message(kind, value);
    }
  }

  private closed(event: CloseEvent): void {
    this.socket = null;
    for (const waiting of this.waiting.values()) {
      waiting.failed(new Error('the studio is not there'));
    }
    this.waiting.clear();
    // 1008: the secret is another server's; 1002: the page is another version's.
    if (event.code === 1008 || event.code === 1002) {
      sessionStorage.removeItem(KEPT);
      this.heard.lost(`The studio was started again. ${RELINK}`, true);
      return;
    }
    this.tries += 1;
    this.heard.lost('The studio does not answer. Is it still running in its terminal?', false);
    setTimeout(() => this.connect(), Math.min(4000, 250 * this.tries));
  }

  /** Asks for something; fails with the server's words. */
  ask<T>(command: Record<string, unknown>, base?: number, numbered?: (id: number) => void): Promise<T> {
    const id = this.next++;
    numbered?.(id);
    return new Promise<T>((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) {
        failed(new Error('the studio is not there'));
        return;
      }
      this.waiting.set(id, { done: done as (value: unknown) => void, failed });
      this.socket.send(JSON.stringify(base === undefined ? { id, do: command } : { id, base, do: command }));
    });
  }

  /** Sends dropped files, and tells which of them can be opened. */
  async drop(files: File[]): Promise<string[]> {
    let folder = 'new';
    const items: string[] = [];
    for (const file of files) {
      const answer = await fetch(`/drop/${folder}`, {
        method: 'POST',
        headers: {
          'x-ligament-secret': this.secret,
          'x-ligament-name': encodeURIComponent(file.name),
        },
        body: file,
      });
      if (!answer.ok) {
        throw new Error(answer.status === 413 ? `${file.name} is too large (512 MB at most)` : await answer.text());
      }
      const told = (await answer.json()) as { folder: string; item: string | null };
      folder = told.folder;
      if (told.item) items.push(told.item);
    }
    return items;
  }
}

const RELINK = 'Open the address that the studio printed last in its terminal.';
