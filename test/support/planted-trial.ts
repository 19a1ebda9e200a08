import type { Simulators } from '../../scripts/simulator-clients/simulators.ts';
import { SIMULATED_STRIPE } from '../../scripts/simulator-clients/stripe.ts';
import type { UserOverHttp } from '../../scripts/simulator-clients/user.ts';
import type { App } from '../../src/server/compose/app.ts';

/**
 * A user in the free month, with the rows and the objects at Stripe that a checkout leads to. The checkout itself takes most
 * of the time of a new advertiser; the billing tests go through it.
 * @param given.email their confirmed address; null: none
 */
export async function plantTrial(
  {
    product: { app, clock },
    simulators,
  }: { product: { app: App; clock: { now(): number } }; simulators: Simulators },
  {
    user,
    userId,
    renews,
    email,
  }: { user: UserOverHttp; userId: string; renews: boolean; email: string | null },
): Promise<void> {
  const { stripe } = simulators;
  await stripe.holdWebhooks();
  const { id: customer } = await stripe.api<{ id: string }>('POST', 'customers', {});
  const { id } = await stripe.plantSubscription({
    customer,
    price: SIMULATED_STRIPE.STRIPE_PRICE_MONTHLY,
    trialDays: 30,
  });
  await stripe.api('POST', `subscriptions/${id}`, {
    'metadata[smartpause]': 'subscription',
    ...(!renews && { cancel_at_period_end: 'true' }),
  });
  // The product reads the result below, and their customer is unknown to it until then.
  await stripe.discardWebhooks();
  const { id: ownerId } = await app.db
    .selectFrom('users')
    .select('id')
    .where('platformUserId', '=', userId)
    .executeTakeFirstOrThrow();
  await app.db.updateTable('users').set({ confirmedEmail: email }).where('id', '=', ownerId).execute();
  await app.db
    .insertInto('stripeCustomers')
    .values({
      userId: ownerId,
      customerId: customer,
      syncAt: new Date(clock.now()),
    })
    .execute();
  const state = await user.post<{ hasActiveSubscription: boolean }>('/api/stripe/refresh-subscription');
  if (!state.hasActiveSubscription) throw new Error('the planted trial is not active');
}
