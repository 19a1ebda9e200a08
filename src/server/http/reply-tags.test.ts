import { describe, expect, test } from 'vitest';
import { BEING_READ } from '#contract/reply-tag.ts';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../test/support/product.ts';

describe('the tag of a list of campaigns', () => {
  const suite = engineSuite();
  /** The status, the tag, whether the list is being read, and whether there is a body. */
  const get = async ({ user, accountId }: Pick<Advertiser, 'user' | 'accountId'>, tag = '') => {
    const headers = { authorization: `Bearer ${user.token}`, 'if-none-match': tag };
    const response = await fetch(`${suite.product.url}/api/campaigns/${accountId}`, { headers });
    return {
      status: response.status,
      tag: response.headers.get('etag') ?? '',
      isBeingRead: response.headers.has(BEING_READ),
      hasBody: (await response.text()) !== '',
    };
  };

  test('a page that has the list gets it again only when its content differs, or of another user', async () => {
    const who = await suite.advertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    const { tag, ...first } = await get(who);
    expect(first).toEqual({ status: 200, isBeingRead: false, hasBody: true });
    const kept = { status: 304, tag, hasBody: false };
    expect(await get(who, tag)).toEqual({ ...kept, isBeingRead: false });
    suite.product.clock.advance(61_000);
    expect(await get(who, tag)).toEqual({ ...kept, isBeingRead: true });
    const other = await suite.colleagueOf(who);
    expect(await get({ ...who, user: other.user }, tag)).toMatchObject({ status: 200, hasBody: true });
    await who.user.post(`/api/smartpause/${who.accountId}/${who.campaignIds[1] ?? ''}`, { enabled: true });
    expect(await get(who, tag)).toMatchObject({ status: 200, hasBody: true });
  });
});
