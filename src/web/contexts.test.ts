import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, expectTypeOf, test } from 'vitest';
import type { Auth } from './auth.tsx';
import { useAuth } from './auth.tsx';
import type { SubscriptionView } from './subscription.tsx';
import { useSubscription } from './subscription.tsx';

test.each([
  ['useAuth', useAuth, 'an AuthProvider'],
  ['useSubscription', useSubscription, 'a SubscriptionProvider'],
])('[SUB-04] %s outside its provider raises an error', (name, use, provider) => {
  const Outsider = () => JSON.stringify(use());
  expect(() => renderToString(createElement(Outsider))).toThrow(`${name} needs ${provider} around it`);
});

test('[AUTH-08] the contexts have the members of the specification', () => {
  expectTypeOf<keyof Auth>().toEqualTypeOf<
    'user' | 'token' | 'loading' | 'login' | 'logout' | 'updateToken'
  >();
  expectTypeOf<SubscriptionView>().toHaveProperty('hasActiveSubscription').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('subscription');
  expectTypeOf<SubscriptionView>().toHaveProperty('isLoading').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('error');
  expectTypeOf<SubscriptionView>().toHaveProperty('isOnTrial').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('trialDaysRemaining');
  expectTypeOf<SubscriptionView>().toHaveProperty('isTrialExpiringSoon').toBeBoolean();
  expectTypeOf<SubscriptionView>().toHaveProperty('refreshSubscription').toBeFunction();
  expectTypeOf<SubscriptionView['createCheckoutSession']>().returns.resolves.toBeString();
  expectTypeOf<SubscriptionView['createPortalSession']>().returns.resolves.toBeString();
});
