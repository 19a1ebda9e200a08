import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerSession } from 'smtp-server';
import type { Faults, Occasion } from '../kit/faults.ts';
import type { Mails } from './mails.ts';

/** Only reachable from this machine: any login is accepted. */
export const LOOPBACK = '127.0.0.1';
/** Longer than any client waits: the library must not end a session that a fault has stalled. */
const IDLE_MS = 3_600_000;

export const MAILBOX_FAULTS = ['refuse_connection', 'refuse', 'stall', 'drop_after'] as const;

interface SmtpParts {
  faults: Faults;
  mails: Mails;
}

/** The SMTP server: accepts every message, unless a fault applies. */
export async function listenSmtp(
  port: number,
  parts: SmtpParts,
): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Map<string, Socket>();
  const library = new SMTPServer({
    name: 'simulated-mailbox',
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    disableReverseLookup: true,
    socketTimeout: IDLE_MS,
    onAuth: ({ username }, _session, reply) => reply(null, { user: username }),
    onRcptTo: ({ address }, _session, reply) => reply(refusalAt(parts.faults, 'rcpt', [address])),
    onData: (stream, { id, envelope }, reply) => {
      void buffer(stream)
        .then((source) => receive(parts, { source, envelope, socket: sockets.get(id) }))
        .then(reply, () => undefined);
    },
  });
  // Only caused by clients that disconnect; unhandled, the event would end the process.
  library.on('error', () => undefined);
  // The library gets its sockets from us, so that a session can be cut by its id.
  const server = createServer((socket) => {
    if (parts.faults.take(['refuse_connection'], at([])) !== null) return void socket.destroy();
    const id = randomUUID();
    sockets.set(id, socket);
    socket.once('close', () => sockets.delete(id));
    library.connect(socket, { id });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, resolve);
  });
  return {
    url: `smtp://${LOOPBACK}:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

/** Keeps a message. Returns its refusal. */
async function receive(
  { faults, mails }: SmtpParts,
  given: { source: Buffer; envelope: SMTPServerSession['envelope']; socket: Socket | undefined },
): Promise<Error | null> {
  const { source, socket } = given;
  const { mailFrom, rcptTo } = given.envelope;
  const to = rcptTo.map(({ address }) => address);
  const stall = faults.take(['stall'], at(to));
  if (stall !== null && (await faults.park(stall)) === 'dropped') return new Error('Dropped');
  const refusal = refusalAt(faults, 'data', to);
  if (refusal !== null || socket?.destroyed === true) return refusal;
  await mails.add({ from: mailFrom === false ? '' : mailFrom.address, to, source });
  if (faults.take(['drop_after'], at(to)) !== null) socket?.destroy();
  return null;
}

/** A pattern applies to the addresses, separated by blanks. */
function at(addresses: readonly string[]): Occasion {
  return { method: '', path: addresses.join(' '), op: 'outer' };
}

/** The library sends `responseCode`. */
function refusalAt(faults: Faults, stage: 'rcpt' | 'data', addresses: readonly string[]): Error | null {
  const fault = faults.take(['refuse'], at(addresses), (one) => (one.stage ?? 'data') === stage);
  if (fault === null) return null;
  return Object.assign(new Error(fault.message ?? 'Try again later'), { responseCode: fault.code ?? 451 });
}
