import { expect, test } from 'vitest';
import type { ReplyOf } from '../../../contract/endpoint.ts';
import type { outageApi } from '../../../contract/outage-api.ts';
import { engineSuite } from '../../../../test/support/engine-suite.ts';
import type { Advertiser } from '../../../../test/support/product.ts';

type Outages = ReplyOf<typeof outageApi.outages>;
type Outage = ReplyOf<typeof outageApi.outage>;
type History = ReplyOf<typeof outageApi.campaignHistory>;

/** A surprising read is believed after a second one. */
const VERIFIED_MS = 11_000;

const suite = engineSuite();
const { campaignsOf, edit, heldAdvertiser, lastHold, later, recovery } = suite;

const lastOutage = (who: Advertiser) => who.user.get<Outages>('/api/outages');
const historyOf = (who: Advertiser) =>
  who.user.get<History>(`/api/campaigns/${who.campaignIds[0] ?? ''}/history`);

test.each([
  [
    'a page reads its list',
    async (who: Advertiser) => {
      await suite.advance(31_000);
      await suite.until('the list to be read', async () =>
        JSON.stringify(await campaignsOf(who)).includes('"status":"ACTIVE"'),
      );
    },
  ],
  [
    '‘Why?’ opens',
    async (who: Advertiser) => {
      await suite.advance(VERIFIED_MS);
      await who.user.post(`/api/campaigns/${who.campaignIds[0] ?? ''}/read`);
    },
  ],
])(
  '[UX-21, HIST-01, HIST-02, HIST-03] appears as soon as %s, and then its author',
  async (_title, notice) => {
    const who = await heldAdvertiser();
    await suite.advance(VERIFIED_MS);
    await edit(who, { status: 'ACTIVE' });
    await notice(who);
    await suite.turn();
    expect(await lastHold(who)).toMatchObject({ state: 'paused', surpriseStatus: 'ACTIVE' });
    const { outages, disabled } = await lastOutage(who);
    const outageId = outages[0]?.id ?? '';
    expect(disabled).toEqual([]);
    expect(outages[0]?.counts).toMatchObject({ paused: 1, resumed: 0, beingChecked: 1, stillPaused: 0 });
    expect((await historyOf(who)).entries[0]).toMatchObject({
      kind: 'being_checked',
      message: 'Meta shows this campaign running.',
    });
    await later(VERIFIED_MS);
    const { campaigns } = await who.user.get<Outage>(`/api/outages/${outageId}`);
    expect(campaigns).toMatchObject([
      {
        ...{ result: 'resumed_outside', reason: 'resumed_outside' },
        outside: { tool: 'Ads Manager', person: 'Robin Vale' },
      },
    ]);
    expect(campaigns[0]?.resumedAt).toBe(campaigns[0]?.outside?.at);
    const { entries } = await historyOf(who);
    expect(entries.map(({ kind }) => kind)).toEqual(['resumed_outside', 'paused', 'setting']);
    expect(entries[0]?.message).toMatch(
      /^Robin Vale resumed this campaign in Ads Manager on .* EST \(.* UTC\)\.$/,
    );
    expect(entries[0]?.reason).toBe('SmartPause is now disabled for it.');
    const told = await lastOutage(who);
    expect(told.outages[0]?.counts).toMatchObject({ paused: 1, resumed: 0, resumedOutside: 1 });
    expect(told.disabled).toEqual([{ campaignId: who.campaignIds[0], accountId: who.accountId }]);
  },
);

test('[UX-21] a pause in Ads Manager appears, of a held campaign and of one that was resumed', async () => {
  const who = await heldAdvertiser();
  await suite.advance(VERIFIED_MS);
  await edit(who, { status: 'ACTIVE' });
  await suite.advance(VERIFIED_MS);
  await edit(who, { status: 'PAUSED' });
  await later(120_000);
  await recovery();
  await later(VERIFIED_MS);
  const [entry] = (await historyOf(who)).entries;
  expect(entry).toMatchObject({ kind: 'kept_paused', message: 'Did not resume this campaign.' });
  expect(entry?.reason).toMatch(
    /^It was paused in Ads Manager by Robin Vale on .* EST \(.* UTC\); it stays paused\.$/,
  );

  const resumed = await heldAdvertiser();
  await recovery();
  await suite.advance(120_000);
  await edit(resumed, { status: 'PAUSED' });
  await suite.until('the list to be read', async () =>
    JSON.stringify(await campaignsOf(resumed)).includes('"status":"PAUSED"'),
  );
  expect((await historyOf(resumed)).entries.map(({ message }) => message).slice(0, 2)).toEqual([
    'This campaign was paused outside SmartPause.',
    'Resumed this campaign.',
  ]);
});
