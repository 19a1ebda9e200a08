import { systemClock } from '../src/server/clock.ts';
import { openAdPlatform } from '../src/server/compose/meta.ts';
import { readPlatformConfig } from '../src/server/config/read-config.ts';
import type { Db } from '../src/server/db/database.ts';
import { createDb, inTransaction } from '../src/server/db/database.ts';
import type { Database } from '../src/server/db/open-database.ts';
import { createHttp } from '../src/server/platforms/http.ts';
import { createTokenCipher } from '../src/server/secrets.ts';
import { NotUnderstood, readArguments } from './arguments.ts';
import { fail, withDatabase } from './command.ts';
import { findLostChanges } from './recover-holds/lost-changes.ts';
import type { LostChange } from './recover-holds/records.ts';
import { settleRestored, writeLostChange } from './recover-holds/records.ts';

const USAGE = `After the database was restored to an earlier time: lists what SmartPause has paused and resumed since then. Meta's
activity log tells it. Run it before SmartPause is started again (docs/operate.md).

  npm run recover-holds -- <time of the backup, such as 2026-11-23T12:00:00Z> [--write]

--write   writes that into the database, as a crash would have left it: SmartPause reads these campaigns first, and
          resumes what it had paused when that is due. It also ends all sessions, and nothing is resumed until the
          status page has been read
`;

const { since, write } = readArguments(
  { usage: USAGE, flags: ['write'], takesWords: true },
  ({ words: [text = '', ...rest], flags }) => {
    const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(text) ? Date.parse(text) : NaN;
    if (Number.isNaN(at) || rest.length > 0) throw new NotUnderstood('It takes the time of the backup.');
    return { since: at, write: flags.has('write') };
  },
);

async function recoverHolds(
  { pool }: Database,
  { meta, encryptionKeys }: ReturnType<typeof readPlatformConfig>,
): Promise<void> {
  const http = createHttp();
  const platform = openAdPlatform(meta, http, () => systemClock.now());
  const db = createDb(pool);
  try {
    const deps = { db, cipher: createTokenCipher(encryptionKeys), platform };
    const { changes, unread } = await findLostChanges(deps, since);
    const written = write ? await writeAll(db, changes) : [];
    const left = write ? changes.filter((change) => !written.includes(change) && isToBeWritten(change)) : [];
    const lines = [
      ...changes.map((change) => describe(change, written.includes(change), left.includes(change))),
      changes.length === 0
        ? `Nothing is missing${unread.length === 0 ? '' : ' where Meta could be asked'}.`
        : `${changes.length} are missing, ${written.length} were written.`,
      ...unread.map(({ accountId, why }) => `NOT READ: ${accountId}, ${why}. Check it manually.`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = unread.length === 0 && left.length === 0 ? 0 : 1;
  } finally {
    await http.close();
  }
}

/** @returns those that could be written */
async function writeAll(db: Db, changes: readonly LostChange[]): Promise<LostChange[]> {
  return inTransaction(db, async (tx) => {
    const written: LostChange[] = [];
    for (const change of changes) if (await writeLostChange(tx, change)) written.push(change);
    await settleRestored(tx);
    return written;
  });
}

/** A pause of a campaign without SmartPause is only reported. */
function isToBeWritten({ to, wantedBy }: LostChange): boolean {
  return to === 'ACTIVE' || wantedBy !== null;
}

function describe(change: LostChange, isWritten: boolean, isLeft: boolean): string {
  const { accountId, campaignId, name, to, at } = change;
  const what = to === 'PAUSED' ? 'paused ' : 'resumed';
  const why = isToBeWritten(change) ? '' : ', SmartPause is on for no user: ask the owner';
  const whyLeft = isLeft ? ', NOT WRITTEN: an earlier hold of it has not ended. Check it manually.' : '';
  return `${isWritten ? 'written' : 'missing'}  ${new Date(at).toISOString()}  ${what}  ${accountId}  ${campaignId}  ${name}${why}${whyLeft}`;
}

withDatabase(readPlatformConfig, recoverHolds).catch(fail);
