import type { z } from 'zod';
import type { FaultBody, Faults, Stage } from '../kit/faults.ts';
import { faultSchema } from '../kit/faults.ts';
import { linger } from '../kit/transport-faults.ts';

export const MAILBOX_FAULTS = [
  'refuse_connection',
  'greeting',
  'refuse',
  'stall',
  'drop',
  'drop_after',
  'latency',
] as const;

/** As for every simulator; an SMTP code must be an error. */
export const mailboxFault: z.ZodType<FaultBody> = faultSchema(MAILBOX_FAULTS).refine(
  ({ code }) => code === undefined || (code >= 400 && code <= 599),
  'code must be from 400 to 599',
);

/** The response that smtp-server sends instead of its own. */
export class Refusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

export type Outcome = 'pass' | 'cut' | Refusal;

/** The state of a session when a fault may apply. */
export interface Moment {
  /** The sender at `mail`, the recipient at `rcpt`, all recipients at `data`. */
  addresses: readonly string[];
  user: string | null;
  /** Aborted when the connection is closed. */
  gone: AbortSignal;
}

/** Applies the faults at this stage; `data`: the whole message has been read. */
export async function strike(faults: Faults, stage: Stage, moment: Moment): Promise<Outcome> {
  const suits = (fault: FaultBody): boolean =>
    (fault.kind === 'greeting' ? 'greeting' : (fault.stage ?? 'data')) === stage;
  await linger(takeAt(faults, ['latency'], moment, suits)?.ms ?? 0);
  if (moment.gone.aborted) return 'cut';
  const fault = takeAt(faults, ['greeting', 'refuse', 'stall', 'drop'], moment, suits);
  if (fault === null) return 'pass';
  if (fault.kind === 'drop') return 'cut';
  if (fault.kind === 'stall') return (await faults.park(fault, moment.gone)) === 'released' ? 'pass' : 'cut';
  return new Refusal(fault.code ?? (stage === 'greeting' ? 421 : 451), fault.message ?? 'Try again later');
}

/** Whether the connection is cut, at once or after the message is kept. */
export function isCut(
  faults: Faults,
  kind: 'refuse_connection' | 'drop_after',
  moment: Pick<Moment, 'addresses' | 'user'>,
): boolean {
  return takeAt(faults, [kind], moment) !== null;
}

/** Each address is a separate occasion, so that a pattern can be anchored. */
function takeAt(
  faults: Faults,
  kinds: readonly string[],
  { addresses, user }: Pick<Moment, 'addresses' | 'user'>,
  suits?: (fault: FaultBody) => boolean,
) {
  const users = user === null ? [] : [user];
  for (const path of addresses) {
    const fault = faults.take(kinds, { method: '', path, op: 'outer', users }, suits);
    if (fault !== null) return fault;
  }
  return null;
}
