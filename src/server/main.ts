import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { createApp } from './compose/app.ts';
import type { AppOptions } from './compose/options.ts';
import type { Config } from './config/read-config.ts';
import { nameOfDatabase } from './db/open-database.ts';
import { ADDRESS_TIMEOUT_MS } from './platforms/http.ts';

interface ServerOptions extends AppOptions {
  /** Runs when the app has closed. */
  afterClose?: () => Promise<void>;
}

const GRACE_MS = 10_000;

/** Connections that wait to be accepted, as when all pages reconnect; the kernel silently drops more. */
const BACKLOG = 4096;

/** Runs the server in this process. On SIGTERM or SIGINT it finishes the work in progress. */
export async function runServer(
  config: Config,
  { afterClose, ...options }: ServerOptions,
): Promise<{ close: () => Promise<void> }> {
  // Also for Stripe and PostgreSQL; SMTP connects to one address.
  setDefaultAutoSelectFamilyAttemptTimeout(ADDRESS_TIMEOUT_MS);
  const app = await createApp(config, options);
  if (config.operations !== null) await app.operators?.listen(config.operations);
  if (config.role !== 'worker')
    await app.http.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  app.http.log.info(
    {
      address: config.publicUrl,
      role: config.role,
      database: nameOfDatabase(config.databaseUrl),
    },
    'SmartPause is ready',
  );

  const closeAll = async (): Promise<void> => {
    try {
      await app.close();
    } finally {
      await afterClose?.();
    }
  };
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => (closing ??= closeAll());
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Ctrl+C arrives twice: from the terminal and from npm.
    process.on(signal, () => {
      setTimeout(() => process.exit(1), GRACE_MS).unref();
      void close().then(
        () => process.exit(0),
        (error: unknown) => {
          app.http.log.error({ err: error }, 'closing failed');
          process.exit(1);
        },
      );
    });
  }
  return { close };
}
