import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { useFreshDb } from '../../../test/support/database.ts';
import { createHttpServer } from '../http/server.ts';

describe('the log', () => {
  const db = useFreshDb();

  test('has the error of the database without the row that it quotes', async () => {
    const user = {
      platformUserId: '7',
      name: 'Nora Secret',
      resumeSettings: '{}',
      loggedInAt: new Date(),
    };
    const broken = { ...user, createdAt: new Date(), threshold: 'SKY-HIGH' as 'HIGH' };
    const err: unknown = await db()
      .insertInto('users')
      .values(broken)
      .execute()
      .catch((error: unknown) => error);
    expect(err).toMatchObject({ detail: expect.stringContaining('Nora Secret') as string });
    const logTo = new PassThrough();
    createHttpServer({ logLevel: 'info', logTo }).log.error({ err }, 'not written');
    logTo.end();
    const line = await text(logTo);
    expect(line).not.toContain('Nora');
    expect(JSON.parse(line)).toMatchObject({
      msg: 'not written',
      err: { code: '23514', detail: '[removed]' },
    });
  });
});
