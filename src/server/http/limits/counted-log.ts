/** Maximum number of distinct kinds. Further ones share one kind. */
const KINDS = 1000;
const BEYOND = 'others';

/**
 * Aggregates events that may come a thousand times a second: logs the first of each kind, counts the rest.
 */
export class CountedLog {
  readonly #everyMs: number;
  readonly #tellMore: (kind: string, count: number) => void;
  readonly #more = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(everyMs: number, tellMore: (kind: string, count: number) => void) {
    this.#everyMs = everyMs;
    this.#tellMore = tellMore;
  }

  /** True if the event is to be logged now; otherwise it is counted. */
  isFirst(wanted: string): boolean {
    const kind = this.#more.has(wanted) || this.#more.size < KINDS ? wanted : BEYOND;
    const more = this.#more.get(kind);
    this.#more.set(kind, more === undefined ? 0 : more + 1);
    this.#timer ??= setTimeout(() => this.tell(), this.#everyMs).unref();
    return more === undefined;
  }

  /** Logs the counts and resets them. */
  tell(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const counted = [...this.#more];
    this.#more.clear();
    for (const [kind, count] of counted) if (count > 0) this.#tellMore(kind, count);
  }
}
