import { randomUUID } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerSession } from 'smtp-server';
import type { Faults, Stage } from '../kit/faults.ts';
import type { Delivery, Mails } from './mails.ts';
import { SOURCE_BYTES } from './mails.ts';
import type { Outcome } from './strike.ts';
import { Refusal, isCut, strike } from './strike.ts';

/** Only reachable from this machine: any login is accepted. */
export const LOOPBACK = '127.0.0.1';
/** Longer than any client waits: the library must not end a session that a fault has stalled. */
const IDLE_MS = 3_600_000;
/** Before the client has named a sender. */
const NO_SENDER = { addresses: [''], user: null };

interface SmtpSide {
  url: string;
  openSessions(): number;
  close(): Promise<void>;
}

interface SmtpParts {
  faults: Faults;
  mails: Mails;
}

type Reply = (error?: Error | null, message?: string) => void;

/** The SMTP server: accepts every message, unless a fault applies. */
export async function listenSmtp(port: number, parts: SmtpParts): Promise<SmtpSide> {
  const sockets = new Map<string, { socket: Socket; gone: AbortSignal }>();
  const library = smtpLibrary(parts, (id) => sockets.get(id));
  // The library gets its sockets from us, so that a session can be cut by its id.
  const server = createServer((socket) => {
    if (isCut(parts.faults, 'refuse_connection', NO_SENDER)) {
      socket.destroy();
      return;
    }
    const id = randomUUID();
    const gone = new AbortController();
    sockets.set(id, { socket, gone: gone.signal });
    socket.once('close', () => {
      sockets.delete(id);
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
    openSessions: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const { socket } of sockets.values()) socket.destroy();
      }),
  };
}

function smtpLibrary(
  { faults, mails }: SmtpParts,
  find: (id: string) => { socket: Socket; gone: AbortSignal } | undefined,
): SMTPServer {
  const pass = async (stage: Stage, session: SMTPServerSession, addresses: string[]): Promise<Outcome> => {
    const gone = find(session.id)?.gone ?? AbortSignal.abort();
    return strike(faults, stage, { addresses, user: userOf(session), gone });
  };
  const cut = (session: SMTPServerSession): void => void find(session.id)?.socket.destroy();
  const answer = async (
    stage: Stage,
    session: SMTPServerSession,
    address: string,
    reply: Reply,
  ): Promise<void> => {
    const outcome = await pass(stage, session, [address]);
    if (outcome === 'cut') cut(session);
    else reply(outcome === 'pass' ? null : outcome);
  };
  const receive = async (stream: Readable, session: SMTPServerSession, reply: Reply): Promise<void> => {
    const message = await readSource(stream);
    if (message === null) return;
    const moment = momentOf(session);
    const outcome = await pass('data', session, moment.to);
    if (outcome === 'cut') cut(session);
    else if (outcome !== 'pass') reply(outcome);
    else {
      const added = await mails.add({ ...moment, ...message }).catch(asRefusal);
      if (added instanceof Refusal) reply(added);
      else if (isCut(faults, 'drop_after', { addresses: moment.to, user: moment.user })) cut(session);
      else reply(null, `OK: kept as number ${added.n}`);
    }
  };
  const library = new SMTPServer({
    name: 'simulated-mailbox',
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    disableReverseLookup: true,
    socketTimeout: IDLE_MS,
    onAuth: ({ username }, _session, reply) => reply(null, { user: username }),
    onConnect: (session, reply) => void answer('greeting', session, '', reply),
    onMailFrom: ({ address }, session, reply) => void answer('mail', session, address, reply),
    onRcptTo: ({ address }, session, reply) => void answer('rcpt', session, address, reply),
    onData: (stream, session, reply) => void receive(stream, session, reply),
  });
  // Only caused by clients that disconnect; unhandled, the event would end the process.
  library.on('error', () => undefined);
  return library;
}

function asRefusal(why: unknown): Refusal {
  return new Refusal(554, `No mail: ${why instanceof Error ? why.message : String(why)}`);
}

function userOf(session: SMTPServerSession): string | null {
  const user: unknown = session.user;
  return typeof user === 'string' ? user : null;
}

function momentOf(session: SMTPServerSession): Pick<Delivery, 'from' | 'to' | 'user'> {
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    user: userOf(session),
  };
}

/** Null: the client disconnected before the end. */
async function readSource(stream: Readable): Promise<Pick<Delivery, 'source' | 'size'> | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (size < SOURCE_BYTES) chunks.push(chunk);
      size += chunk.length;
    }
  } catch {
    return null;
  }
  return { source: Buffer.concat(chunks).subarray(0, SOURCE_BYTES), size };
}
