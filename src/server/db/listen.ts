import pg from 'pg';
import { backoffMs } from '#core/backoff.ts';
import type { DatabaseLog } from './pool.ts';

export interface ListenOptions {
  /** A plain identifier: it becomes part of the statement. */
  channel: string;
  onMessage: (payload: string) => void;
  /** Reconnected: messages may be lost. */
  onGap: () => void;
}

export interface Listening {
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;

/** Uses its own connection and reconnects after a failure. Resolves after the first attempt. */
export async function listen(options: ListenOptions & { url: string; log: DatabaseLog }): Promise<Listening> {
  const { url, channel, onMessage, onGap, log } = options;
  let current: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  const connect = async (isAgain: boolean): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'smartpause-listener',
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    current = client;
    client.on('notification', ({ payload }) => onMessage(payload ?? ''));
    client.on('error', (error) => lose(client, error));
    client.on('end', () => lose(client, new Error('the connection ended')));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      if (isAgain && current === client) onGap();
    } catch (error) {
      lose(client, error);
    }
  };

  const lose = (client: pg.Client, error: unknown): void => {
    if (current !== client) return;
    current = null;
    void client.end().catch(() => undefined);
    if (closed) return;
    log.warn({ err: error }, 'listener connection failed, connecting again');
    retry = setTimeout(() => void connect(true), backoffMs(1, Math.random()));
  };

  await connect(false);
  return {
    async close() {
      closed = true;
      clearTimeout(retry);
      const client = current;
      current = null;
      await client?.end().catch(() => undefined);
    },
  };
}
