import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { useSession } from './session.tsx';
import { useSubscription } from './subscription.tsx';

test.each([
  ['useSession', useSession, 'SessionProvider'],
  ['useSubscription', useSubscription, 'SubscriptionProvider'],
])('[SUB-04] %s outside its provider raises an error', (name, use, provider) => {
  const Outsider = () => JSON.stringify(use());
  expect(() => renderToString(createElement(Outsider))).toThrow(`${name} needs a ${provider} around it`);
});
