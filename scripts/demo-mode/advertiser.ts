import type { Simulators } from '../simulator-clients/simulators.ts';
import { signIn } from '../simulator-clients/user.ts';

/** The advertiser of the demo, one of those that the Meta simulator knows. */
export const EXAMPLE_ID = '122093847561055501';

const EMAIL = 'daniel@northlane.example';

/** Another tool has this campaign off at night. */
const OFF_AT_NIGHT = { campaign: '220489113380010001', tool: { off: ['23:00'], on: ['06:00'] } };

/** Of six running campaigns one is left without SmartPause, so that the demo shows both. */
const LEFT_OUT_EVERY = 6;

/** Signs the example advertiser in, subscribes and sets up, with SmartPause on. Repeatable. */
export async function prepareAdvertiser(
  publicUrl: string,
  { graph, stripe, mailbox }: Simulators,
): Promise<void> {
  // Meta's simulator begins without it at each start.
  await graph.post(`/campaigns/${OFF_AT_NIGHT.campaign}/tool`, OFF_AT_NIGHT.tool);
  const user = await signIn(publicUrl, EXAMPLE_ID);
  const { user: me } = await user.get<{ user: { isInitialized: boolean } }>('/api/me');
  if (me.isInitialized) return;
  await user.becomesAdvertiser({
    subscribe: () => user.subscribe(stripe),
    setup: { email: EMAIL },
    protects: (campaigns) =>
      campaigns
        .filter(({ status }) => status === 'ACTIVE')
        .filter((_campaign, index) => (index + 1) % LEFT_OUT_EVERY !== 0),
  });
  const mail = await mailbox.waitFor(EMAIL, /^Confirm your email address/);
  const token = /#(\S+)/.exec(mail.text ?? '')?.[1];
  await user.post('/api/email-links/confirm', { token });
}
