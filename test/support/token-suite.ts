import { allMailTo } from './mail.ts';
import type { Advertiser } from './product.ts';
import { startSuite } from './suite.ts';

/** A suite about Meta tokens: the status of Meta's login can be disturbed. */
export function tokenSuite() {
  const suite = startSuite();
  const statusRow = () =>
    suite.product.app.db.selectFrom('platformStatus').selectAll().executeTakeFirstOrThrow();

  return Object.assign(suite, {
    /** Checks the tokens that are due now, as the product does every few seconds. */
    checkDue: () => suite.product.app.runTask('checking tokens'),
    /** After a jump of the clock the status is UNKNOWN until it is read again, and a refusal is doubted. */
    untilStatusIsTrusted: () =>
      suite.until('the status to be read', async () => {
        const { checkedAt, trueLevel, loginDisrupted } = await statusRow();
        const isFresh = Number(checkedAt) > suite.product.clock.now() - 5000;
        return isFresh && trueLevel !== 'UNKNOWN' && !loginDisrupted;
      }),
    newcomer: async (campaigns: 'ACTIVE'[] = []): Promise<Advertiser> => {
      await suite.advance(0);
      const who = await suite.advertiser({ campaigns });
      await suite.known('UP');
      return who;
    },
    disturbLogin: (status = 'High disruptions'): Promise<unknown> =>
      suite.simulators.status.post('/status', { org: 'facebook-login', service: 'Facebook Login', status }),
    untilDisturbed: () =>
      suite.until('the disturbance to be known', async () => {
        const row = await statusRow();
        return row.loginDisrupted || row.trueLevel === 'UNKNOWN';
      }),
    accessOf: async (who: Advertiser): Promise<string> =>
      (await who.user.get<{ user: { access: string } }>('/api/me')).user.access,
    tokenRow: (who: Advertiser) =>
      suite.product.app.db
        .selectFrom('platformTokens')
        .innerJoin('users', 'users.id', 'platformTokens.userId')
        .selectAll('platformTokens')
        .where('platformUserId', '=', who.userId)
        .executeTakeFirstOrThrow(),
    subjects: (who: Advertiser) => allMailTo(suite, who.email),
  });
}
