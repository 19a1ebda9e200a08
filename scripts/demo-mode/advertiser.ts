import type { UserOverHttp } from '../outside/user.ts';
import { confirmLogin, signIn } from '../outside/user.ts';
import type { Simulators } from '../outside/simulators.ts';

/** The advertiser of the demo, one of those that the Meta simulator knows. */
export const EXAMPLE = { id: '122093847561055501', name: 'Daniel Okafor' };

/** Of six running campaigns one is left without SmartPause, so that the demo shows both. */
const LEFT_OUT_EVERY = 6;

/** Signs the example advertiser in, subscribes and sets up through the product's own calls. Repeatable. */
export async function prepareAdvertiser(
  publicUrl: string,
  { stripe }: Pick<Simulators, 'stripe'>,
): Promise<void> {
  const user = await signIn(publicUrl, EXAMPLE.id);
  const { user: me } = await user.get<{ user: { isInitialized: boolean } }>('/api/me');
  if (me.isInitialized) return;
  await user.subscribe(stripe);
  await user.completeSetup({
    resumeSettings: { mode: 'instant' },
    outageThreshold: 'MEDIUM',
    email: 'daniel@northlane.example',
  });
  await turnOn(user);
}

async function turnOn(user: UserOverHttp): Promise<void> {
  const { adAccounts } = await user.get<{ adAccounts: { id: string }[] }>('/api/ad-accounts');
  for (const { id } of adAccounts) {
    const { campaigns } = await user.get<{ campaigns: { id: string; status: string }[] }>(
      `/api/campaigns/${id}`,
    );
    const running = campaigns.filter(({ status }) => status === 'ACTIVE');
    const chosen = running.filter((_campaign, index) => (index + 1) % LEFT_OUT_EVERY !== 0);
    for (const campaign of chosen) await user.setSmartPause(id, campaign.id, true);
  }
}

/** Meta's login as the example advertiser without the dialog. */
export function signInExample(publicUrl: string): Promise<{ setCookie: string; callback: string }> {
  return confirmLogin(publicUrl, { userId: EXAMPLE.id, returnTo: '/dashboard' });
}
