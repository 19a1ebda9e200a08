import type { Simulators } from '../outside/simulators.ts';
import { signIn } from '../outside/user.ts';

/** The advertiser of the demo, one of those that the Meta simulator knows. */
export const EXAMPLE_ID = '122093847561055501';

/** Of six running campaigns one is left without SmartPause, so that the demo shows both. */
const LEFT_OUT_EVERY = 6;

/** Signs the example advertiser in, subscribes and sets up, with SmartPause on. Repeatable. */
export async function prepareAdvertiser(publicUrl: string, { stripe }: Simulators): Promise<void> {
  const user = await signIn(publicUrl, EXAMPLE_ID);
  const { user: me } = await user.get<{ user: { isInitialized: boolean } }>('/api/me');
  if (me.isInitialized) return;
  await user.becomesAdvertiser({
    subscribe: () => user.subscribe(stripe),
    setup: { email: 'daniel@northlane.example' },
    protects: (campaigns) =>
      campaigns
        .filter(({ status }) => status === 'ACTIVE')
        .filter((_campaign, index) => (index + 1) % LEFT_OUT_EVERY !== 0),
  });
}
