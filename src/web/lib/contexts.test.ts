import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, expectTypeOf, test } from 'vitest';
import { AuthProvider, useAuth } from '../features/auth/auth-provider.tsx';
import type { SubscriptionView } from '../features/subscription/subscription-provider.tsx';
import { SubscriptionProvider, useSubscription } from '../features/subscription/subscription-provider.tsx';

test.each([
  ['useAuth', useAuth, 'an AuthProvider'],
  ['useSubscription', useSubscription, 'a SubscriptionProvider'],
])('[SUB-04] %s outside its provider throws an error', (name, use, provider) => {
  const Outsider = () => JSON.stringify(use());
  expect(() => renderToString(createElement(Outsider))).toThrow(`${name} needs ${provider} around it`);
});

test.each([
  ['auth', useAuth, ['user', 'token', 'loading', 'login', 'logout', 'updateToken']],
  [
    'subscription',
    useSubscription,
    [
      ...['hasActiveSubscription', 'subscription', 'isLoading', 'error'],
      ...['isOnTrial', 'trialDaysRemaining', 'isTrialExpiringSoon'],
      ...['refreshSubscription', 'createCheckoutSession', 'createPortalSession'],
      // Members that the specification does not have.
      ...['isTrialAvailable', 'hasPortal'],
    ],
  ],
])('[AUTH-08] the %s context has exactly these members', (_name, use, members) => {
  const Consumer = () => Object.keys(use()).sort().join(' ');
  const provided = createElement(
    AuthProvider,
    null,
    createElement(SubscriptionProvider, null, createElement(Consumer)),
  );
  const client = new QueryClient();
  expect(renderToString(createElement(QueryClientProvider, { client }, provided))).toBe(
    members.sort().join(' '),
  );
});

test('[AUTH-08] the members of the subscription context have the types of the specification', () => {
  expectTypeOf<SubscriptionView>().toHaveProperty('hasActiveSubscription').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('isLoading').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('isOnTrial').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('isTrialExpiringSoon').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('refreshSubscription').toBeFunction();
  expectTypeOf<SubscriptionView['createCheckoutSession']>().returns.resolves.toBeString();
  expectTypeOf<SubscriptionView['createPortalSession']>().returns.resolves.toBeString();
});
