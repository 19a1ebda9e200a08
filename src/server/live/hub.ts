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

/** Further pages of the same person close the oldest, which then live by asking. */
const STREAMS_PER_PERSON = 20;
/** Whoever does not read that much is not there any more, or reads by asking. */
const MAX_WAITING_BYTES = 64 * 1024;
const RETRY_MS = seconds(2);

/** A thousand pages that all read the status at once would be in the way of the engine, which is busy just then. */
const MS_PER_PAGE = { status: 0.5, everything: 2 };

/** The open pages of this process, and who of them hears of what. */
export class Hub {
  readonly #streams = new Set<Stream>();
  readonly #byPerson = new Map<string, Set<Stream>>();

  get size(): number {
    return this.#streams.size;
  }

  /** Answers with what to call when the page has gone. */
  open(listener: Listener, sink: Sink): () => void {
    const stream: Stream = { ...listener, sink };
    const own = this.#byPerson.get(listener.personId) ?? new Set();
    const [oldest] = own;
    if (oldest !== undefined && own.size >= STREAMS_PER_PERSON) this.#end(oldest);
    this.#byPerson.set(listener.personId, own.add(stream));
    this.#streams.add(stream);
    sink.write(`retry: ${RETRY_MS}\n\n`);
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

  /** Ends all, also those whose page does not read any more. */
  close(): void {
    const sinks = [...this.#streams].map(({ sink }) => sink);
    for (const stream of [...this.#streams]) this.#end(stream);
    setTimeout(() => sinks.forEach((sink) => sink.destroy()), seconds(1)).unref();
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
    stream.sink.end();
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

  /** Nothing worth saying while there are few. */
  #spread(what: keyof typeof MS_PER_PAGE): { withinMs?: number } {
    const withinMs = Math.round(this.#streams.size * MS_PER_PAGE[what]);
    return withinMs < 10 ? {} : { withinMs };
  }
}
