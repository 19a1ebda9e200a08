import type { Simulators } from '../outside/simulators.ts';
import { signIn } from '../outside/user.ts';

/** The advertiser of the demo, one of those that the Meta simulator knows. */
export const EXAMPLE_ID = '122093847561055501';

/** Of six running campaigns one is left without SmartPause, so that the demo shows both. */
const LEFT_OUT_EVERY = 6;

/** Signs the example advertiser in, subscribes and sets up through the product's own calls. Repeatable. */
export async function prepareAdvertiser(publicUrl: string, { stripe }: Simulators): Promise<void> {
  const user = await signIn(publicUrl, EXAMPLE_ID);
  const { user: me } = await user.get<{ user: { isInitialized: boolean } }>('/api/me');
  if (me.isInitialized) return;
  await user.subscribe(stripe);
  await user.completeSetup({
    resumeSettings: { mode: 'instant' },
    outageThreshold: 'MEDIUM',
    email: 'daniel@northlane.example',
  });
  const { adAccounts } = await user.get<{ adAccounts: { id: string }[] }>('/api/ad-accounts');
  for (const { id } of adAccounts) {
    const path = `/api/campaigns/${id}`;
    const { campaigns } = await user.get<{ campaigns: { id: string; status: string }[] }>(path);
    const running = campaigns.filter(({ status }) => status === 'ACTIVE');
    const chosen = running.filter((_campaign, index) => (index + 1) % LEFT_OUT_EVERY !== 0);
    for (const campaign of chosen) await user.setSmartPause(id, campaign.id, true);
  }
}
