import { z } from 'zod';
import type { Account } from '../account.ts';
import { invalid } from '../errors.ts';
import { emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { PortalConfiguration, PortalSession } from '../objects.ts';
import { text } from '../wire/params.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const aboutSubscription = z.strictObject({ subscription: text }).optional();
const created = z.strictObject({
  configuration: text.optional(),
  customer: text,
  flow_data: z
    .strictObject({
      after_completion: z
        .strictObject({
          redirect: z.strictObject({ return_url: text }).optional(),
          type: z.enum(['portal_homepage', 'redirect']),
        })
        .optional(),
      subscription_cancel: aboutSubscription,
      subscription_update: aboutSubscription,
      type: z.enum(['payment_method_update', 'subscription_cancel', 'subscription_update']),
    })
    .optional(),
  locale: text.optional(),
  return_url: text.optional(),
});
type Flow = z.infer<typeof created>['flow_data'];

export const portalSessionRoutes: Route[] = [
  route('POST', '/v1/billing_portal/sessions', created, (params, { account, base }) => {
    find(account.customers, 'customer', params.customer, 'customer');
    const configuration = configurationFor(account, params.configuration);
    const id = newId('bps');
    const session: PortalSession = {
      id,
      object: 'billing_portal.session',
      after_expiration: null,
      configuration: configuration.id,
      created: account.now(),
      customer: params.customer,
      customer_account: null,
      flow: flowOf(account, params.flow_data),
      livemode: false,
      locale: params.locale ?? null,
      on_behalf_of: null,
      return_url: params.return_url ?? configuration.default_return_url,
      url: `${base}/p/session/${id}`,
    };
    account.portalSessions.set(id, session);
    emit(account, 'billing_portal.session.created', session);
    return session;
  }),
];

function configurationFor(account: Account, id: string | undefined): PortalConfiguration {
  if (id !== undefined) return find(account.portalConfigurations, 'configuration', id, 'configuration');
  const standard = [...account.portalConfigurations.values()].find((one) => one.is_default);
  if (standard === undefined)
    throw invalid(
      'No configuration provided and your test mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings in test mode at https://dashboard.stripe.com/test/settings/billing/portal.',
    );
  return standard;
}

function flowOf(account: Account, flow: Flow): PortalSession['flow'] {
  if (flow === undefined) return null;
  const { type, after_completion: after } = flow;
  if (type !== 'payment_method_update') {
    const named = flow[type]?.subscription;
    if (named === undefined)
      throw invalid(`Missing required param: flow_data[${type}].`, `flow_data[${type}]`, 'parameter_missing');
    find(account.subscriptions, 'subscription', named, `flow_data[${type}][subscription]`);
  }
  return {
    after_completion: {
      hosted_confirmation: null,
      redirect: after?.redirect ?? null,
      type: after?.type ?? 'portal_homepage',
    },
    customer_update: null,
    subscription_cancel:
      flow.subscription_cancel === undefined
        ? null
        : { retention: null, subscription: flow.subscription_cancel.subscription },
    subscription_pause: null,
    subscription_update: flow.subscription_update ?? null,
    subscription_update_confirm: null,
    type,
  };
}
