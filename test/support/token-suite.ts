import { allMailTo } from './mail.ts';
import type { Advertiser } from './product.ts';
import { startSuite } from './suite.ts';

/** A suite about Meta tokens: the status of Meta's login can be disturbed. */
export function tokenSuite() {
  const suite = startSuite();
  const statusRow = () =>
    suite.product.app.db.selectFrom('platform_status').selectAll().executeTakeFirstOrThrow();

  return Object.assign(suite, {
    /** Checks the tokens that are due now, as the product does every few seconds. */
    checkDue: () => suite.product.app.runTask('checking tokens'),
    /** After a jump of the clock the status is UNKNOWN until it is read again, and a refusal is doubted. */
    untilStatusIsTrusted: () =>
      suite.until('the status to be read', async () => {
        const { checked_at, true_level, login_disrupted } = await statusRow();
        const isFresh = Number(checked_at) > suite.product.clock.now() - 5000;
        return isFresh && true_level !== 'UNKNOWN' && !login_disrupted;
      }),
    newcomer: async (campaigns: 'ACTIVE'[] = []): Promise<Advertiser> => {
      await suite.advance(0);
      const who = await suite.advertiser({ campaigns });
      await suite.known('UP');
      return who;
    },
    disturbLogin: (): Promise<unknown> =>
      suite.simulators.status.post('/status', {
        org: 'facebook-login',
        service: 'Facebook Login',
        status: 'High disruptions',
      }),
    untilDisturbed: () =>
      suite.until('the disturbance to be known', async () => {
        const row = await statusRow();
        return row.login_disrupted || row.true_level === 'UNKNOWN';
      }),
    accessOf: async (who: Advertiser): Promise<string> =>
      (await who.user.get<{ user: { access: string } }>('/api/me')).user.access,
    tokenRow: (who: Advertiser) =>
      suite.product.app.db
        .selectFrom('platform_tokens')
        .innerJoin('users', 'users.id', 'platform_tokens.user_id')
        .selectAll('platform_tokens')
        .where('platform_user_id', '=', who.userId)
        .executeTakeFirstOrThrow(),
    subjects: (who: Advertiser) => allMailTo(suite, who.email),
  });
}
