import type { RawBuilder } from 'kysely';
import { sql } from 'kysely';
import type { AppState, AppStateStore } from '#core/app-state.ts';
import type { Db } from './database.ts';
import { onlyRow, timestamp } from './database.ts';

/** The one row about our app at Meta. */
export function createAppStateStore(db: Db): AppStateStore {
  const isChanged = async (update: RawBuilder<unknown>): Promise<boolean> =>
    ((await update.execute(db)).numAffectedRows ?? 0n) > 0n;
  return {
    read: async () =>
      onlyRow(
        await sql<AppState>`select stopped, probe_at, opened_at, used_percent, used_at from app_state`.execute(
          db,
        ),
      ),
    async stop({ cause, said, probeAt }, now) {
      const result = await sql<{ isNew: boolean }>`
        update app_state set stopped = ${cause}, said = ${said}, since = coalesce(since, ${timestamp(now)}),
          probe_at = greatest(probe_at, ${timestamp(probeAt)}) returning since = ${timestamp(now)} as is_new`.execute(
        db,
      );
      return onlyRow(result).isNew;
    },
    takeProbe: (now, nextAt) =>
      isChanged(sql`update app_state set probe_at = ${timestamp(nextAt)}
        where stopped is not null and probe_at <= ${timestamp(now)}`),
    open: (now) =>
      isChanged(sql`update app_state set stopped = null, since = null, probe_at = null, said = null,
        opened_at = case when stopped = 'limited' then ${timestamp(now)} end where stopped is not null`),
    countTokens: async () =>
      onlyRow(
        await sql<{ count: number }>`
          select count(*)::int as count from platform_tokens where rejected_at is null`.execute(db),
      ).count,
    async saveUsage(percent, now) {
      await sql`update app_state set used_percent = ${percent}, used_at = ${timestamp(now)}`.execute(db);
    },
  };
}
