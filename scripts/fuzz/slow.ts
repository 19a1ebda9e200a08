import { connect } from 'node:net';

/** A request may take a minute, and connections are looked at every half minute. */
const ENDED_AFTER_MS = 100_000;

const BEGINNINGS = [
  '',
  'G',
  'GET /api/me HTTP/1.1\r\n',
  'GET /api/me HTTP/1.1\r\nhost: a\r\nx: ',
  'POST /api/user/settings HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 10\r\n\r\n{"a"',
  'POST /webhooks/stripe HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab',
];

/** Connections whose request never comes to its end: the product must not keep them for ever. */
export class SlowConnections {
  readonly #openedAt = performance.now();
  readonly #open = new Map<string, () => void>();

  constructor(port: number) {
    for (const beginning of BEGINNINGS) {
      const socket = connect({ port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.on('close', () => void this.#open.delete(beginning));
      socket.write(beginning);
      this.#open.set(beginning, () => socket.destroy());
    }
  }

  /** Lets go of what is left, and tells of those that were kept too long. A short run cannot tell. */
  end(): string[] {
    const kept = [...this.#open.keys()];
    for (const destroy of this.#open.values()) destroy();
    if (performance.now() - this.#openedAt < ENDED_AFTER_MS) return [];
    return kept.map(
      (beginning) => `a connection was kept for ever that had sent ${JSON.stringify(beginning)}`,
    );
  }
}
