import { expect } from '../support/fixtures.ts';
import { hasOtherTools, notResumed, refusedResume } from './campaigns.ts';
import { FAILS, UNUSUAL, pausedEarly, suspects } from './early-warning.ts';
import type { States, Visit } from './visit.ts';
import { SHOES } from './visit.ts';

/** 'Why?' of a campaign, with what it offers. */
async function asksWhy(v: Visit, button: string): Promise<void> {
  await v.presses(`Why? History of ${SHOES}`);
  await expect(v.page.getByRole('dialog').getByRole('button', { name: button })).toBeVisible();
}

async function asksWhyInMenu(v: Visit): Promise<void> {
  await v.presses(`More for ${SHOES}`);
  await v.presses(`Why? History of ${SHOES}`);
}

/** As the server says it of a pause by an early warning. */
const EARLY = { reason: `An early warning of an outage, which you let pause campaigns. ${FAILS} ${UNUSUAL}` };

/** What a campaign's own history says. */
export const WHY: States = {
  'activity/why': async (v) => {
    await v.hadOutage();
    await v.opens('/');
    await asksWhyInMenu(v);
    await expect(v.page.getByRole('link', { name: 'See the outage' }).first()).toBeVisible();
  },
  'activity/why-paused': async (v) => {
    await hasOtherTools(v);
    await v.opensCampaigns();
    await v.presses(`Why? History of ${SHOES}`);
    await v.sees(/^Paused by SmartPause\. It resumes/);
  },
  'activity/why-refused': async (v) => {
    await refusedResume(v);
    await asksWhy(v, 'Retry now');
  },
  'activity/why-not-resumed': async (v) => {
    await notResumed(v);
    await asksWhy(v, 'Resume now');
  },
  'activity/why-blocked': async (v) => {
    await v.holdsTwo();
    const error = { kind: 'error', code: 368, userTitle: 'Confirm your identity', op: 'inner', times: 0 };
    await v.world.graph.fault({ ...error, method: 'POST', user: v.id });
    await v.world.reports('Resolved');
    await v.opensCampaigns();
    await v.sees(/Confirm your identity/);
    await v.presses(`Why? History of ${SHOES}`);
    await v.sees('High disruptions, your threshold is medium.');
  },
  'activity/why-early-warning': async (v) => {
    await suspects(v, true);
    await v.changes('**/api/campaigns/*/history*', ({ entries, ...page }: { entries: object[] }) => ({
      ...page,
      entries: entries.map((one) => ('kind' in one && one.kind === 'paused' ? { ...one, ...EARLY } : one)),
    }));
    await pausedEarly(v);
    await v.presses(`Why? History of ${SHOES}`);
    await v.sees(/^Paused on an early warning\. It resumes/);
  },
};
