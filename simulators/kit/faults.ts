import { z } from 'zod';

const match = z
  .object({
    method: z.enum(['GET', 'POST', 'DELETE']).optional(),
    /** A regular expression on the path. */
    path: z.string().optional(),
    campaign: z.string().optional(),
    account: z.string().optional(),
    user: z.string().optional(),
    /** 'inner': one operation inside a batch; 'outer': the HTTP request itself. */
    op: z.enum(['outer', 'inner']).optional(),
  })
  .default({});

export const faultBody = z.object({
  kind: z.string(),
  match,
  /** How often it strikes; 0: until it is removed. */
  times: z.number().int().min(0).default(1),
  code: z.number().optional(),
  subcode: z.number().optional(),
  http: z.number().optional(),
  transient: z.boolean().optional(),
  message: z.string().optional(),
  ms: z.number().optional(),
  phrase: z.string().optional(),
  order: z.enum(['oldest_first', 'newest_first']).optional(),
});
export type FaultBody = z.infer<typeof faultBody>;

/** What a fault may be aimed at. */
export interface Occasion {
  method: string;
  path: string;
  op: 'outer' | 'inner';
  campaign?: string | undefined;
  account?: string | undefined;
  user?: string | undefined;
}

export interface Fault extends FaultBody {
  id: number;
  hits: number;
  parked: number;
}

/** Faults that have been ordered, and the requests that they have parked. */
export class Faults {
  #faults: Fault[] = [];
  #releases = new Map<number, (() => void)[]>();
  #nextId = 1;

  add(body: FaultBody): Fault {
    const fault: Fault = { ...body, id: this.#nextId++, hits: 0, parked: 0 };
    this.#faults.push(fault);
    return fault;
  }

  list(): Fault[] {
    return [...this.#faults];
  }

  remove(id: number | null): void {
    for (const fault of this.#faults) if (id === null || fault.id === id) this.release(fault.id);
    this.#faults = id === null ? [] : this.#faults.filter((fault) => fault.id !== id);
  }

  /** The first fault of one of these kinds that is aimed at the occasion; taking it counts. */
  take(kinds: readonly string[], occasion: Occasion): Fault | null {
    const found = this.#faults.find(
      (fault) =>
        kinds.includes(fault.kind) &&
        (fault.times === 0 || fault.hits < fault.times) &&
        isAimedAt(fault, occasion),
    );
    if (found !== undefined) found.hits += 1;
    return found ?? null;
  }

  /** Waits until the fault is released. */
  async park(fault: Fault): Promise<void> {
    fault.parked += 1;
    await new Promise<void>((resolve) => {
      this.#releases.set(fault.id, [...(this.#releases.get(fault.id) ?? []), resolve]);
    });
    fault.parked -= 1;
  }

  release(id: number): void {
    for (const resolve of this.#releases.get(id) ?? []) resolve();
    this.#releases.delete(id);
  }
}

function isAimedAt({ match: aim }: Fault, occasion: Occasion): boolean {
  return (
    (aim.method === undefined || aim.method === occasion.method) &&
    (aim.path === undefined || new RegExp(aim.path).test(occasion.path)) &&
    (aim.campaign === undefined || aim.campaign === occasion.campaign) &&
    (aim.account === undefined || aim.account === occasion.account) &&
    (aim.user === undefined || aim.user === occasion.user) &&
    (aim.op === undefined || aim.op === occasion.op)
  );
}
