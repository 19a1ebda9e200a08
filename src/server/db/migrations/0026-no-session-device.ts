import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const noSessionDevice: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql.raw('alter table session drop column device').execute(db);
  },
};
