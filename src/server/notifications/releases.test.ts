import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../test/support/mail.ts';

describe('notifications about a resume', () => {
  const suite = engineSuite();

  test('[ENG-13] name a campaign that was not resumed only in the outage that it was paused in', async () => {
    const who = await suite.heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'] });
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', false);
    await suite.recovery();
    const first = await nextMailTo(suite, who.email, /SmartPause resumed/);
    expect(first.subject).toBe('SmartPause resumed 1 campaign, 1 not resumed');
    await suite.outage();
    await suite.recovery();
    const second = await nextMailTo(suite, who.email, /SmartPause resumed 1 campaign$/);
    expect(second.text).not.toContain('Campaign 1');
  });
});
