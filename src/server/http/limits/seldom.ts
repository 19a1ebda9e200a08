/** So many kinds are told apart at a time: what comes beyond is one more kind. */
const KINDS = 1000;
const BEYOND = 'others';

/** For what may come a thousand times a second: the first of each kind is told at once, and how many followed in the end. */
export class Seldom {
  readonly #everyMs: number;
  readonly #tellMore: (kind: string, count: number) => void;
  readonly #more = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(everyMs: number, tellMore: (kind: string, count: number) => void) {
    this.#everyMs = everyMs;
    this.#tellMore = tellMore;
  }

  /** Whether this one is to be told; otherwise it has been counted. */
  isFirst(wanted: string): boolean {
    const kind = this.#more.has(wanted) || this.#more.size < KINDS ? wanted : BEYOND;
    const more = this.#more.get(kind);
    this.#more.set(kind, more === undefined ? 0 : more + 1);
    this.#timer ??= setTimeout(() => this.tell(), this.#everyMs).unref();
    return more === undefined;
  }

  /** Begins anew. */
  tell(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const counted = [...this.#more];
    this.#more.clear();
    for (const [kind, count] of counted) if (count > 0) this.#tellMore(kind, count);
  }
}
