import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerSession } from 'smtp-server';
import type { Fault, Faults, Stage } from '../kit/faults.ts';
import type { Mails } from './mails.ts';

/** Only reachable from this machine: any login is accepted. */
export const LOOPBACK = '127.0.0.1';
/** Longer than any client waits: the library must not end a session that a fault has stalled. */
const IDLE_MS = 3_600_000;

export const MAILBOX_FAULTS = ['refuse_connection', 'refuse', 'stall', 'drop_after'] as const;

interface SmtpSide {
  url: string;
  close(): Promise<void>;
}

/** The response that smtp-server sends instead of its own. */
class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

interface SmtpParts {
  faults: Faults;
  mails: Mails;
}

interface Connection {
  socket: Socket;
  gone: AbortSignal;
}

/** The SMTP server: accepts every message, unless a fault applies. */
export async function listenSmtp(port: number, parts: SmtpParts): Promise<SmtpSide> {
  const connections = new Map<string, Connection>();
  const library = smtpLibrary(parts, (id) => connections.get(id));
  // The library gets its sockets from us, so that a session can be cut by its id.
  const server = createServer((socket) => {
    if (take(parts.faults, ['refuse_connection'], ['']) !== null) {
      socket.destroy();
      return;
    }
    const id = randomUUID();
    const gone = new AbortController();
    connections.set(id, { socket, gone: gone.signal });
    socket.once('close', () => {
      connections.delete(id);
      gone.abort();
    });
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
        for (const { socket } of connections.values()) socket.destroy();
      }),
  };
}

function smtpLibrary(parts: SmtpParts, find: (id: string) => Connection | undefined): SMTPServer {
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
        .then((source) => receive(parts, { source, envelope, connection: find(id) }))
        .then(reply, () => undefined);
    },
  });
  // Only caused by clients that disconnect; unhandled, the event would end the process.
  library.on('error', () => undefined);
  return library;
}

/** Keeps a message. Returns its refusal; rejects without a response to the client. */
async function receive(
  { faults, mails }: SmtpParts,
  given: { source: Buffer; envelope: SMTPServerSession['envelope']; connection: Connection | undefined },
): Promise<Refusal | null> {
  const { source, connection } = given;
  const { mailFrom, rcptTo } = given.envelope;
  const to = rcptTo.map(({ address }) => address);
  const stall = take(faults, ['stall'], to);
  if (stall !== null && (await faults.park(stall, connection?.gone)) === 'dropped') throw new Error('gone');
  const refusal = refusalAt(faults, 'data', to);
  if (refusal !== null) return refusal;
  try {
    await mails.add({ from: mailFrom === false ? '' : mailFrom.address, to, source });
  } catch (error) {
    return new Refusal(554, `No mail: ${String(error)}`);
  }
  if (take(faults, ['drop_after'], to) !== null) connection?.socket.destroy();
  return null;
}

/** Each address is a separate occasion, so that a pattern can be anchored. */
function take(
  faults: Faults,
  kinds: readonly string[],
  addresses: readonly string[],
  suits?: (fault: Fault) => boolean,
): Fault | null {
  for (const path of addresses) {
    const fault = faults.take(kinds, { method: '', path, op: 'outer' }, suits);
    if (fault !== null) return fault;
  }
  return null;
}

function refusalAt(faults: Faults, stage: Stage, addresses: readonly string[]): Refusal | null {
  const fault = take(faults, ['refuse'], addresses, (one) => (one.stage ?? 'data') === stage);
  return fault === null ? null : new Refusal(fault.code ?? 451, fault.message ?? 'Try again later');
}
