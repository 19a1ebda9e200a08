import { z } from 'zod';
import type { Account } from '../account.ts';
import { newestFirst } from '../account.ts';
import { change, emit } from '../events.ts';
import { newId } from '../ids.ts';
import type { PortalConfiguration } from '../objects.ts';
import { page, paginate } from '../wire/lists.ts';
import { emptyable, flag, integer, metadata, text, withMetadata } from '../wire/params.ts';
import { portalFeatures, readFeatures } from './portal-features.ts';
import type { Route } from './route.ts';
import { find, route } from './route.ts';

const fields = {
  business_profile: z
    .strictObject({
      headline: emptyable(text).optional(),
      privacy_policy_url: emptyable(text).optional(),
      terms_of_service_url: emptyable(text).optional(),
    })
    .optional(),
  default_return_url: emptyable(text).optional(),
  metadata: metadata.optional(),
  name: emptyable(text).optional(),
};
const created = z.strictObject({ ...fields, features: portalFeatures });
const updated = z.strictObject({ ...fields, active: flag.optional(), features: portalFeatures.optional() });
const listed = z.strictObject({
  ...page,
  active: flag.optional(),
  is_default: flag.optional(),
  created: integer.optional(),
});

export const portalConfigurationRoutes: Route[] = [
  route('POST', '/v1/billing_portal/configurations', created, (params, { account }) =>
    createConfiguration(account, params),
  ),
  route('GET', '/v1/billing_portal/configurations', listed, (asked, { account, path }) => {
    const { active, is_default: isDefault } = asked;
    const wanted = newestFirst(account.portalConfigurations).filter(
      (one) =>
        (active === undefined || one.active === active) &&
        (isDefault === undefined || one.is_default === isDefault),
    );
    return paginate(wanted, asked, path);
  }),
  route('GET', '/v1/billing_portal/configurations/:id', z.strictObject({}), (_, { account, id }) =>
    configurationOf(account, id),
  ),
  route('POST', '/v1/billing_portal/configurations/:id', updated, (params, { account, id }) => {
    const found = configurationOf(account, id);
    change(account, 'billing_portal.configuration.updated', found, {
      active: params.active ?? found.active,
      business_profile: { ...found.business_profile, ...given(params.business_profile) },
      default_return_url:
        params.default_return_url === undefined ? found.default_return_url : params.default_return_url,
      features:
        params.features === undefined
          ? found.features
          : readFeatures(account, params.features, found.features),
      metadata: withMetadata(found.metadata ?? {}, params.metadata),
      name: params.name === undefined ? found.name : params.name,
      updated: account.now(),
    });
    return found;
  }),
];

function configurationOf(account: Account, id: string): PortalConfiguration {
  return find(account.portalConfigurations, 'configuration', id);
}

function given<T extends object>(fields: T | undefined): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The first of an account is its default. */
export function createConfiguration(
  account: Account,
  params: z.infer<typeof created>,
  id = newId('bpc'),
): PortalConfiguration {
  const now = account.now();
  const configuration: PortalConfiguration = {
    id,
    object: 'billing_portal.configuration',
    active: true,
    application: null,
    business_profile: {
      headline: null,
      privacy_policy_url: null,
      terms_of_service_url: null,
      ...given(params.business_profile),
    },
    created: now,
    default_return_url: params.default_return_url ?? null,
    features: readFeatures(account, params.features),
    is_default: account.portalConfigurations.size === 0,
    livemode: false,
    login_page: { enabled: false, url: null },
    metadata: withMetadata({}, params.metadata),
    name: params.name ?? null,
    updated: now,
  };
  account.portalConfigurations.set(configuration.id, configuration);
  emit(account, 'billing_portal.configuration.created', configuration);
  return configuration;
}
