import type { Dialect, Driver } from 'kysely';
import { PostgresAdapter, PostgresDialect } from 'kysely';

/** Of an engine that is one session, in a thread of its own: it answers in the order in which it is asked. */
export class SingleSessionDialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new SingleSessionAdapter(this);
  }
}

export class SingleSessionAdapter extends PostgresAdapter {
  readonly dialect: Dialect;
  readonly driver: Driver;

  constructor(dialect: Dialect) {
    super();
    this.dialect = dialect;
    this.driver = dialect.createDriver();
  }
}
