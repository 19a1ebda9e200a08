import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** The connection between the product and PostgreSQL, which a test can cut or silence. */
export interface DatabaseLink {
  /** The database's address through this connection. */
  url: string;
  /** Closes every connection and accepts none. */
  cut: () => Promise<void>;
  /** Connections stay open and can be made, but no data passes. */
  silence: () => void;
  /** Ends a cut or a silence for new connections. */
  mend: () => Promise<void>;
  close: () => Promise<void>;
}

export async function linkTo(databaseUrl: string): Promise<DatabaseLink> {
  const target = new URL(databaseUrl);
  const open = new Set<Socket>();
  let isSilent = false;
  let port = 0;
  let server: Server | null = null;

  const join = (near: Socket): void => {
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('data', (bytes) => isSilent || other.write(bytes));
      one.on('error', () => undefined);
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  };
  const listen = async (): Promise<void> => {
    const opened = createServer(join);
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
    port = (opened.address() as AddressInfo).port;
    server = opened;
  };
  const cut = async (): Promise<void> => {
    const closing = server;
    server = null;
    const closed = closing && new Promise((resolve) => closing.close(resolve));
    for (const socket of open) socket.destroy();
    await closed;
  };
  await listen();

  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    cut,
    silence: () => {
      isSilent = true;
    },
    mend: async () => {
      await cut();
      isSilent = false;
      await listen();
    },
    close: cut,
  };
}
