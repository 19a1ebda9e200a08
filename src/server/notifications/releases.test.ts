import { describe, expect, test } from 'vitest';
import { engineSuite } from '../../../test/support/engine-suite.ts';
import { nextMailTo } from '../../../test/support/mail.ts';

describe('notifications about a resume', () => {
  const suite = engineSuite();

  test('[ENG-13] name no campaign that was not resumed in an earlier outage', async () => {
    const who = await suite.heldAdvertiser({ campaigns: ['ACTIVE', 'ACTIVE'], on: 1 });
    await suite.setSmartPause(who, false);
    await suite.recovery();
    await who.user.setSmartPause(who.accountId, who.campaignIds[1] ?? '', true);
    await suite.outage();
    await suite.recovery();
    const { subject, text } = await nextMailTo(suite, who.email, /SmartPause resumed/);
    expect(subject).toBe('SmartPause resumed 1 campaign');
    expect(text).not.toContain('Campaign 0');
  });
});
