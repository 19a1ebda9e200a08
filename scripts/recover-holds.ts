import { createHttp } from '../src/server/platforms/http.ts';
import { createAdPlatform } from '../src/server/platforms/meta/ads.ts';
import { createGraphClient } from '../src/server/platforms/meta/client.ts';
import { systemClock } from '../src/server/clock.ts';
import { readPlatformConfig } from '../src/server/config.ts';
import { createDb } from '../src/server/db/database.ts';
import { openDatabase } from '../src/server/db/pool/open.ts';
import { createTokenCipher } from '../src/server/secrets.ts';
import { NotUnderstood, readArguments } from './arguments.ts';
import { fail, silent } from './command.ts';
import { prepareDevelopment } from './development.ts';
import type { LostActivity } from './recover-holds/lost-activities.ts';
import { findLostActivities, writeLostActivities } from './recover-holds/lost-activities.ts';
import { settleRestored } from './recover-holds/records.ts';

const USAGE = `After the database was restored to an earlier time: lists what SmartPause has paused and resumed since then. Meta's
activity log tells it. Run it before SmartPause is started again (docs/operate.md).

  npm run recover-holds -- <time of the backup, such as 2026-11-23T12:00:00Z> [--write]

--write   writes that into the database, as a crash would have left it: SmartPause reads these campaigns first, and
          resumes what it had paused when that is due. It also ends all sessions, and nothing is resumed until the
          status page has been read
`;

async function main(): Promise<void> {
  const { since, write } = readArguments(
    { usage: USAGE, flags: ['write'], takesWords: true },
    ({ words: [text = '', ...rest], flags }) => {
      const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/.test(text) ? Date.parse(text) : NaN;
      if (Number.isNaN(at) || rest.length > 0) throw new NotUnderstood('It takes the time of the backup.');
      return { since: at, write: flags.has('write') };
    },
  );
  await using development = await prepareDevelopment(process.env, {
    isCommand: true,
    mayCreateDatabase: false,
  });
  const { databaseUrl: url, encryptionKeys, meta } = readPlatformConfig(development.environment);
  const clock = systemClock;
  const http = createHttp();
  const platform = createAdPlatform(
    createGraphClient(meta, http, () => clock.now()),
    meta.appId,
  );
  const database = await openDatabase({ url, log: silent });
  try {
    const deps = { db: createDb(database.pool), cipher: createTokenCipher(encryptionKeys), platform, clock };
    const { activities, unread } = await findLostActivities(deps, since);
    const written = write ? await writeLostActivities(deps, activities) : [];
    if (write) await settleRestored(deps.db, clock.now());
    const left = write
      ? activities.filter((activity) => !written.includes(activity) && isToBeWritten(activity))
      : [];
    const lines = [
      ...activities.map((activity) =>
        describe(activity, written.includes(activity), left.includes(activity)),
      ),
      activities.length === 0
        ? `Nothing is missing${unread.length === 0 ? '' : ' where Meta could be asked'}.`
        : `${activities.length} are missing, ${written.length} were written.`,
      ...unread.map(({ accountId, why }) => `NOT READ: ${accountId}, ${why}. Check it manually.`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    process.exitCode = unread.length === 0 && left.length === 0 ? 0 : 1;
  } finally {
    await database.close();
    await http.close();
  }
}

/** A pause of a campaign without SmartPause is only reported. */
function isToBeWritten({ holdId, wantedBy }: LostActivity): boolean {
  return holdId !== null || wantedBy !== null;
}

function describe(activity: LostActivity, isWritten: boolean, isLeft: boolean): string {
  const { accountId, campaignId, name, to, at } = activity;
  const what = to === 'PAUSED' ? 'paused ' : 'resumed';
  const why = isToBeWritten(activity) ? '' : ', SmartPause is on for no user: ask the owner';
  const whyLeft = isLeft ? ', NOT WRITTEN: an earlier hold of it has not ended. Check it manually.' : '';
  return `${isWritten ? 'written' : 'missing'}  ${new Date(at).toISOString()}  ${what}  ${accountId}  ${campaignId}  ${name}${why}${whyLeft}`;
}

main().catch(fail);
