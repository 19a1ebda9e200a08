import type { Change } from '#contract/changes.ts';
import { isAdmin } from '#core/roles.ts';
import { seconds } from '#core/time.ts';
import type { Notice } from '../db/changes.ts';

/** Where a page's events are written to; a response of Node's http server is one. */
export interface Sink {
  write(text: string): unknown;
  /** What has been written and not yet taken. */
  readonly writableLength: number;
  end(): unknown;
  destroy(): unknown;
}

export interface Listener {
  personId: string;
  sessionId: string;
  roles: readonly string[];
}

interface Stream extends Listener {
  sink: Sink;
}

/** A browser has one for all its pages. Whoever comes after that many is refused, and lives by asking. */
const STREAMS_PER_PERSON = 20;
/** And that many in all, which leaves connections for everything else. One costs memory, also if it says nothing. */
const STREAMS_IN_ALL = 8_000;
/** Whoever does not read that much is not there any more, or reads by asking. */
const MAX_WAITING_BYTES = 64 * 1024;
/** Whose page does not take the end of its stream is left without. */
const END_WITHIN_MS = seconds(1);
const SOONEST_RETRY_MS = seconds(1);

/**
 * A thousand pages that all read the status at once would be in the way of the engine, which is busy just then. When
 * their streams have ended all together, they come back one after the other, too.
 */
const MS_PER_PAGE = { status: 0.5, everything: 2, retry: 2 };

/** The open pages of this process, and who of them hears of what. */
export class Hub {
  readonly #streams = new Set<Stream>();
  readonly #byPerson = new Map<string, Set<Stream>>();
  #isClosed = false;
  #isDeaf = false;

  get size(): number {
    return this.#streams.size;
  }

  /** Changes are not heard of here: whoever has a stream ends it, and pages live by asking. */
  get isDeaf(): boolean {
    return this.#isDeaf;
  }

  set isDeaf(isDeaf: boolean) {
    this.#isDeaf = isDeaf;
    if (isDeaf) for (const stream of [...this.#streams]) this.#end(stream);
  }

  hasRoomFor(personId: string): boolean {
    if (this.#streams.size >= STREAMS_IN_ALL) return false;
    return (this.#byPerson.get(personId)?.size ?? 0) < STREAMS_PER_PERSON;
  }

  /**
   * The first that a page is told is to read everything: it knows nothing of what was before.
   * @returns what to call when the page has gone
   */
  open(listener: Listener, sink: Sink): () => void {
    const stream: Stream = { ...listener, sink };
    if (this.#isClosed) {
      this.#end(stream);
      return () => undefined;
    }
    const own = this.#byPerson.get(listener.personId) ?? new Set();
    this.#byPerson.set(listener.personId, own.add(stream));
    this.#streams.add(stream);
    sink.write(this.#retry());
    this.#broadcast([stream], { what: 'everything', ...this.#spread('everything') });
    return () => this.#forget(stream);
  }

  tell(notice: Notice): void {
    switch (notice.kind) {
      case 'status':
        this.#broadcast(this.#streams, { what: 'status', ...this.#spread('status') });
        break;
      case 'activity':
        this.#broadcast(this.#admins(), { what: 'activity' });
        break;
      case 'ended':
        this.#endSessions(new Set(notice.sessionIds));
        break;
      case 'campaigns':
        for (const { personId, adAccountId } of notice.of) {
          this.#broadcast(this.#byPerson.get(personId) ?? [], { what: 'campaigns', adAccountId });
        }
        break;
      case 'accounts':
      case 'person':
      case 'subscription':
      case 'sessions': {
        const what = notice.kind === 'accounts' ? 'ad_accounts' : notice.kind;
        for (const id of notice.personIds) this.#broadcast(this.#byPerson.get(id) ?? [], { what });
      }
    }
  }

  /** Anything may have changed. */
  tellOfGap(): void {
    this.#broadcast(this.#streams, { what: 'everything', ...this.#spread('everything') });
  }

  /** Keeps what is between us and the page from taking the silence for an end. */
  beat(): void {
    for (const stream of [...this.#streams]) this.#write(stream, ':\n\n');
  }

  sessions(): string[] {
    return [...new Set([...this.#streams].map(({ sessionId }) => sessionId))];
  }

  /**
   * What is known now of sessions: roles as they are, and those that are over end.
   * @param asked only these were asked about
   */
  keepOnly(live: ReadonlyMap<string, readonly string[]>, asked: readonly string[]): void {
    for (const stream of this.#streams) stream.roles = live.get(stream.sessionId) ?? stream.roles;
    this.#endSessions(new Set(asked.filter((id) => !live.has(id))));
  }

  /** Ends all, saying when to come back, and whoever opens one later. */
  close(): void {
    this.#isClosed = true;
    const retry = this.#retry();
    for (const stream of [...this.#streams]) {
      this.#write(stream, retry);
      this.#end(stream);
    }
  }

  #broadcast(streams: Iterable<Stream>, change: Change): void {
    const text = `data: ${JSON.stringify(change)}\n\n`;
    for (const stream of [...streams]) this.#write(stream, text);
  }

  #write(stream: Stream, text: string): void {
    if (stream.sink.writableLength > MAX_WAITING_BYTES) {
      this.#forget(stream);
      stream.sink.destroy();
    } else stream.sink.write(text);
  }

  #endSessions(over: ReadonlySet<string>): void {
    for (const stream of [...this.#streams]) if (over.has(stream.sessionId)) this.#end(stream);
  }

  #end(stream: Stream): void {
    this.#forget(stream);
    const { sink } = stream;
    sink.end();
    // One that does not read would keep its connection for ever, and a server that closes with it.
    setTimeout(() => sink.destroy(), END_WITHIN_MS).unref();
  }

  #forget(stream: Stream): void {
    this.#streams.delete(stream);
    const own = this.#byPerson.get(stream.personId);
    own?.delete(stream);
    if (own?.size === 0) this.#byPerson.delete(stream.personId);
  }

  #admins(): Stream[] {
    return [...this.#streams].filter(({ roles }) => isAdmin(roles));
  }

  /** Within which time to come back, should the stream end. */
  #retry(): string {
    return `retry: ${Math.max(SOONEST_RETRY_MS, this.#streams.size * MS_PER_PAGE.retry)}\n\n`;
  }

  /** Nothing worth saying while there are few. */
  #spread(what: 'status' | 'everything'): { withinMs?: number } {
    const withinMs = Math.round(this.#streams.size * MS_PER_PAGE[what]);
    return withinMs < 10 ? {} : { withinMs };
  }
}
