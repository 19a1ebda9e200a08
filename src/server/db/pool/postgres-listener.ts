import pg from 'pg';
import type { DatabaseLog } from './pool.ts';

export interface ListenOptions {
  /** A plain name: it becomes a part of the statement. */
  channel: string;
  onMessage: (payload: string) => void;
  /** For a while nobody listened: anything may have been said meanwhile. */
  onGap: () => void;
}

export interface Listening {
  close(): Promise<void>;
}

const CONNECT_WITHIN_MS = 10_000;
/** A connection can be dead without anybody saying so. */
const PROBE_EVERY_MS = 30_000;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 10_000;

/**
 * Listens on a connection of its own, which is made again whenever it breaks. Comes back after the first attempt,
 * whether that succeeded or not.
 */
export async function listenToPostgres(
  options: ListenOptions & { url: string; log: DatabaseLog },
): Promise<Listening> {
  const { url, channel, log } = options;
  let current: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let failures = 0;
  let hasMissed = false;
  let closed = false;

  const connect = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'smartpause-listener',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: CONNECT_WITHIN_MS,
      keepAlive: true,
    });
    current = client;
    client.on('notification', ({ payload }) => options.onMessage(payload ?? ''));
    client.on('error', (error) => lose(client, error));
    client.on('end', () => lose(client, new Error('the connection ended')));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
    } catch (error) {
      lose(client, error);
      return;
    }
    if (current !== client) return;
    failures = 0;
    probe(client);
    if (hasMissed) options.onGap();
  };

  const probe = (client: pg.Client): void => {
    timer = setTimeout(() => {
      client.query('select 1').then(
        () => current === client && probe(client),
        (error: unknown) => lose(client, error),
      );
    }, PROBE_EVERY_MS);
  };

  const lose = (client: pg.Client, error: unknown): void => {
    if (current !== client) return;
    current = null;
    clearTimeout(timer);
    void client.end().catch(() => undefined);
    if (closed) return;
    hasMissed = true;
    log.warn({ err: error }, 'The connection that hears of changes failed; it is made again.');
    timer = setTimeout(() => void connect(), Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS));
    failures += 1;
  };

  await connect();
  return {
    async close() {
      closed = true;
      clearTimeout(timer);
      const client = current;
      current = null;
      await client?.end().catch(() => undefined);
    },
  };
}
