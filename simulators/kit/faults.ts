import { z } from 'zod';

const pattern = z.string().refine((text) => {
  try {
    return new RegExp(text) instanceof RegExp;
  } catch {
    return false;
  }
}, 'no regular expression');

const aims = {
  method: z.string().optional(),
  /** A regular expression on the path without its version. */
  path: pattern.optional(),
  campaign: z.string().optional(),
  account: z.string().optional(),
  user: z.string().optional(),
  /** 'inner': one operation inside a batch; 'outer': the HTTP request itself. */
  op: z
    .string()
    .regex(/^(inner|outer)$/, 'inner or outer')
    .optional(),
};

const order = z.strictObject({
  kind: z.string(),
  match: z.strictObject(aims).default({}),
  /** The same aims may stand beside the kind instead of in `match`. */
  ...aims,
  /** How often it applies; 0: until it is removed. */
  times: z.number().int().min(0).default(1),
  code: z.number().int().optional(),
  subcode: z.number().int().optional(),
  http: z.number().int().min(200).max(599).optional(),
  transient: z.boolean().optional(),
  message: z.string().optional(),
  /** `error_user_title` and `error_user_msg` of Meta. */
  userTitle: z.string().optional(),
  userMessage: z.string().optional(),
  ms: z.number().min(0).optional(),
  /** Instead of `ms`: a time. */
  at: z.number().optional(),
  /** hang_before: a request whose client disconnected is still applied on release. */
  applyOnRelease: z.boolean().default(false),
  /** Where a redirect leads. */
  location: z.url().optional(),
  /** The text of an unknown status. */
  phrase: z.string().optional(),
  /** Mailbox: refuse at the recipient, 'rcpt', or when the whole message has been read, 'data'. */
  stage: z
    .string()
    .regex(/^(rcpt|data)$/, 'rcpt or data')
    .optional(),
});
export type FaultInput = z.input<typeof order>;
type FaultBody = Omit<z.infer<typeof order>, keyof typeof aims>;

/** The schema of a fault for a simulator that supports these kinds. */
export function faultSchema(kinds: readonly string[]): z.ZodType<FaultBody> {
  return order
    .refine(({ kind }) => kinds.includes(kind), `kind must be one of ${kinds.join(', ')}`)
    .transform(({ match, method, path, campaign, account, user, op, ...body }) => ({
      ...body,
      match: { method, path, campaign, account, user, op, ...match },
    }));
}

/** What a fault can match. A batch combines what its operations match. */
export interface Occasion {
  method: string;
  path: string;
  op: 'outer' | 'inner';
  campaigns?: readonly string[];
  accounts?: readonly string[];
  users?: readonly string[];
}

export interface Fault extends FaultBody {
  id: number;
  hits: number;
  /** How many requests wait for its release. */
  parked: number;
}

type ParkingEnd = 'released' | 'dropped';

/** The ordered faults, and the requests that they have parked. */
export class Faults {
  readonly kinds: readonly string[];
  #faults: Fault[] = [];
  #parked = new Map<number, Set<(end: ParkingEnd) => void>>();
  #nextId = 1;

  constructor(kinds: readonly string[]) {
    this.kinds = kinds;
  }

  add(body: FaultBody): Fault {
    const fault: Fault = { ...body, id: this.#nextId++, hits: 0, parked: 0 };
    this.#faults.push(fault);
    return fault;
  }

  list(): Fault[] {
    return [...this.#faults];
  }

  /** The number of hits of all current faults. */
  get hits(): number {
    return this.#faults.reduce((sum, { hits }) => sum + hits, 0);
  }

  /** Releases the requests that it parked. */
  remove(id: number): void {
    this.release(id);
    this.#faults = this.#faults.filter((fault) => fault.id !== id);
  }

  removeAll(): void {
    for (const { id } of this.#faults) this.remove(id);
  }

  /** Removes every fault; requests still parked are never applied. */
  drop(): void {
    for (const { id } of this.#faults) this.#leave(id, 'dropped');
    this.#faults = [];
  }

  release(id: number): void {
    this.#leave(id, 'released');
  }

  /** The first fault of these kinds that matches the occasion. Taking it counts as a hit. */
  take(
    kinds: readonly string[],
    occasion: Occasion,
    suits: (fault: Fault) => boolean = () => true,
  ): Fault | null {
    const found = this.#faults.find(
      (fault) =>
        kinds.includes(fault.kind) &&
        (fault.times === 0 || fault.hits < fault.times) &&
        isAimedAt(fault, occasion) &&
        suits(fault),
    );
    if (found !== undefined) found.hits += 1;
    return found ?? null;
  }

  /** Waits until the fault is released, or until the client disconnects. */
  async park(fault: Fault, gone?: AbortSignal): Promise<ParkingEnd> {
    if (gone?.aborted === true) return 'dropped';
    const { promise, resolve } = Promise.withResolvers<ParkingEnd>();
    const parked = this.#parked.get(fault.id) ?? new Set();
    this.#parked.set(fault.id, parked.add(resolve));
    fault.parked += 1;
    gone?.addEventListener('abort', () => resolve('dropped'), { once: true });
    const end = await promise;
    parked.delete(resolve);
    fault.parked -= 1;
    return end;
  }

  #leave(id: number, end: ParkingEnd): void {
    for (const resolve of this.#parked.get(id) ?? []) resolve(end);
  }
}

function isAimedAt({ match }: Fault, occasion: Occasion): boolean {
  const isAmong = (wanted: string | undefined, given: readonly string[] = []): boolean =>
    wanted === undefined || given.includes(wanted);
  return (
    isAmong(match.method, [occasion.method]) &&
    (match.path === undefined || new RegExp(match.path).test(occasion.path)) &&
    isAmong(match.op, [occasion.op]) &&
    isAmong(match.campaign, occasion.campaigns) &&
    isAmong(match.account, occasion.accounts) &&
    isAmong(match.user, occasion.users)
  );
}
